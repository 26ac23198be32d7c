import { type KeyboardEvent, useState } from 'react';

interface QuantityFieldProps {
  readonly label: string;
  readonly quantity: number;
  readonly isDisabled?: boolean;
  readonly onChange: (quantity: number) => void;
}

const MAX = 99;
const COMMITTING_KEYS = ['Enter', 'ArrowUp', 'ArrowDown'];

/** Tells of a quantity once it is meant: after a click, an arrow key or Enter, or when the buyer moves on. */
export function QuantityField({ label, quantity, isDisabled = false, onChange }: QuantityFieldProps) {
  const [draft, setDraft] = useState<string | undefined>();
  const set = (next: number) => {
    setDraft(undefined);
    if (Number.isInteger(next) && next >= 1 && next <= MAX && next !== quantity) onChange(next);
  };
  const commit = () => {
    if (draft !== undefined) set(Number(draft));
  };
  const onKeyUp = ({ key }: KeyboardEvent) => {
    if (COMMITTING_KEYS.includes(key)) commit();
  };
  return (
    <div className="quantity">
      <button
        type="button"
        aria-label={`Fewer: ${label}`}
        disabled={isDisabled || quantity <= 1}
        onClick={() => set(quantity - 1)}
      >
        −
      </button>
      <input
        type="number"
        className="number"
        aria-label={`Quantity of ${label}`}
        min={1}
        max={MAX}
        disabled={isDisabled}
        value={draft ?? quantity}
        onChange={({ target }) => setDraft(target.value)}
        onKeyUp={onKeyUp}
        onBlur={commit}
      />
      <button
        type="button"
        aria-label={`More: ${label}`}
        disabled={isDisabled || quantity >= MAX}
        onClick={() => set(quantity + 1)}
      >
        +
      </button>
    </div>
  );
}
