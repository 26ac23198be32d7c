import { Dialog } from '@base-ui/react/dialog';
import { isProblem } from '@checkout-saga/client';
import { useId, useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { useObservable } from '../../../common/observable.js';
import { explain } from '../data/explain.js';
import { EffectList } from './effect-list.js';
import { FailedAgainError } from './verb-calls.js';
import { type OpenVerb, openVerb, type VerbField, type VerbRequest } from './verb-request.js';

/** Where the dialog of a verb is shown. Once per page. */
export function VerbHost() {
  const open = useObservable(openVerb);
  const close = () => openVerb.set(undefined);
  const backTo = () => (open?.opener?.isConnected ? open.opener : document.getElementById('main'));
  return (
    <Dialog.Root open={open !== undefined} onOpenChange={(isOpen) => isOpen || close()}>
      {open && (
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="dialog card" finalFocus={backTo}>
            <Dialog.Title className="dialog-title">{open.request.title}</Dialog.Title>
            <VerbForm key={open.id} open={open} close={close} />
          </Dialog.Popup>
        </Dialog.Portal>
      )}
    </Dialog.Root>
  );
}

function VerbForm({ open: { request, isGone }, close }: { open: OpenVerb; close: () => void }) {
  const { subject, about, effects, field, confirm } = request;
  const [reason, setReason] = useState('');
  const [value, setValue] = useState(field?.initial ?? '');
  const { problem, isActing, isUnknown, confirmWith } = useConfirmation(request, close);
  const reading = field?.read(value);
  const foretold = reading?.effects ?? effects;
  const canConfirm = !isActing && reason.trim() !== '' && (reading?.canConfirm ?? true);
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canConfirm) void confirmWith(reason.trim(), value);
      }}
    >
      {subject !== undefined && <p className="dialog-subject quiet">{subject}</p>}
      {about !== undefined && <Dialog.Description render={<div />}>{about}</Dialog.Description>}
      {foretold && (
        <section className="foretold" aria-label="What it will do">
          <h3>What it will do</h3>
          <EffectList effects={foretold} />
        </section>
      )}
      <fieldset className="dialog-fields" disabled={isUnknown}>
        {field && <NumberField field={field} value={value} onChange={setValue} />}
        <ReasonField value={reason} onChange={setReason} />
      </fieldset>
      {isGone && problem === '' && (
        <p className="notice warn" role="status">
          It has moved on since you opened this. The service will say whether this can still be done.
        </p>
      )}
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {problem}
          {isUnknown && <span>It may have been done. Ask again: it is the same request, and takes effect once.</span>}
        </p>
      )}
      <div className="dialog-buttons">
        <Dialog.Close className="button small">Leave it</Dialog.Close>
        <button type="submit" className="button small primary" disabled={!canConfirm}>
          {isActing ? 'Doing it …' : isUnknown ? 'Ask again' : confirm}
        </button>
      </div>
    </form>
  );
}

/**
 * Does what was confirmed. One dialog is one intent with one Idempotency-Key: after an answer that got lost the fields stay as
 * they are, and confirming it again cannot refund or adjust a second time. A refusal had no effect, and makes room for another try.
 */
function useConfirmation({ act, onDone }: VerbRequest, close: () => void) {
  const [key, setKey] = useState(newKey);
  const [problem, setProblem] = useState('');
  const [isActing, setActing] = useState(false);
  const [isUnknown, setUnknown] = useState(false);
  const confirmWith = async (reason: string, value: string) => {
    setActing(true);
    setProblem('');
    try {
      announce(await act({ reason, value, idempotencyKey: key }));
      close();
      onDone?.();
    } catch (error) {
      const isRefused = error instanceof FailedAgainError || (isProblem(error) && error.status < 500);
      if (isRefused) setKey(newKey());
      setUnknown(!isRefused);
      setProblem(explain(error));
      setActing(false);
    }
  };
  return { problem, isActing, isUnknown, confirmWith };
}

/** Not `randomUUID`, which browsers keep from pages without HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function ReasonField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="field">
      <span>Reason, for the audit trail</span>
      <input
        value={value}
        onChange={({ target }) => onChange(target.value)}
        maxLength={500}
        required
        autoComplete="off"
      />
    </label>
  );
}

interface NumberFieldProps {
  readonly field: VerbField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NumberField({ field: { label, placeholder, read }, value, onChange }: NumberFieldProps) {
  const id = useId();
  const { text, isWrong = false } = read(value);
  return (
    <div className="stack-tight">
      <label className="field">
        <span>{label}</span>
        <input
          inputMode="decimal"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          placeholder={placeholder}
          aria-invalid={isWrong}
          aria-describedby={id}
          autoComplete="off"
        />
      </label>
      <p id={id} className={isWrong ? 'field-problem small' : 'quiet small'} role="status">
        {text}
      </p>
    </div>
  );
}
