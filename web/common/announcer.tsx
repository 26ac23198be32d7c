import { createObservable, useObservable } from './observable.js';

const SHOWN_MS = 5_000;

const message = createObservable('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something to everybody: shown for a while, and read out by screen readers when they have finished their sentence. */
export function announce(text: string): void {
  clearTimeout(timer);
  message.set(text);
  timer = setTimeout(() => message.set(''), SHOWN_MS);
}

/** Once per page. The region is always there, because a screen reader hears only of changes to one that it knows. */
export function Announcer() {
  return (
    <div className="snackbar" role="status">
      {useObservable(message)}
    </div>
  );
}
