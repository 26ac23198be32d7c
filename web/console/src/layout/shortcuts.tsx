import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { createObservable, useObservable } from '../../../common/observable.js';
import { createStored } from '../../../common/stored.js';
import { PLACES } from './places.js';

/** Single keys get in the way of some who dictate or use a screen reader: they can be switched off. */
const isOn = createStored('shortcuts', true);

/** How long after `g` a letter still counts. */
const SECOND_KEY_MS = 1_500;
const TYPING = 'input, textarea, select, [contenteditable]';
/** In every row of a list, the link that leads to it. */
const ROWS = 'main :is(.table tbody tr, .attention-items > li, .hits li)';

/** Whether the list of keys is open. */
export const isHelpOpen = createObservable(false);

/** The console by keys, and what they are. */
export function Shortcuts() {
  const [, navigate] = useLocation();
  const isOpen = useObservable(isHelpOpen);
  const goAt = useRef(-Infinity);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches(TYPING);
    const isModified = event.metaKey || event.ctrlKey || event.altKey;
    if (isTyping || isModified || document.querySelector('[role="dialog"]')) return;
    if (event.key === '?') isHelpOpen.set(true);
    else if (!isOn.get()) return;
    else if (event.timeStamp - goAt.current < SECOND_KEY_MS) {
      goAt.current = -Infinity;
      const place = PLACES.flat().find(({ key }) => key === event.key);
      if (!place) return;
      navigate(place.href);
    } else if (event.key === 'g') goAt.current = event.timeStamp;
    else if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else if (event.key === '/') document.querySelector<HTMLElement>('.search-box input')?.focus();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <Dialog.Root open={isOpen} onOpenChange={isHelpOpen.set}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog card">
          <Dialog.Title className="dialog-title">Keys</Dialog.Title>
          <Help />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** To the next row, or the one before, from wherever the focus is. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.querySelector('a'));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 && by === -1 ? rows.length - 1 : at + by];
  next?.querySelector('a')?.focus();
}

function Help() {
  const areOn = useObservable(isOn);
  return (
    <div className="dialog-form">
      <dl className="keys">
        <Key keys={['/']} text="Search" />
        <Key keys={['j']} text="Next row" />
        <Key keys={['k']} text="Row before" />
        <Key keys={['?']} text="This list" />
        {PLACES.flat().map(({ href, key, text }) => (
          <Key key={href} keys={['g', key]} text={text} />
        ))}
      </dl>
      <label className="check-field">
        <input type="checkbox" checked={areOn} onChange={({ target }) => isOn.set(target.checked)} />
        Single keys work
      </label>
      <div className="dialog-buttons">
        <Dialog.Close className="button small">Close</Dialog.Close>
      </div>
    </div>
  );
}

function Key({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
