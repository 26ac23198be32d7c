import { ConnectionError } from '@checkout-saga/client';
import { useLive } from '../session/live.js';

/** Said while the service does not answer: what is on the page is old, and nothing can be done. */
export function ConnectionNotice() {
  const { overview, attention } = useLive();
  const isLost = [overview.error, attention.error].some((error) => error instanceof ConnectionError);
  return (
    <div role="status" className={isLost ? 'connection-notice' : 'visually-hidden'}>
      {isLost && 'The service does not answer. What you see may be old; it is asked again every few seconds.'}
    </div>
  );
}
