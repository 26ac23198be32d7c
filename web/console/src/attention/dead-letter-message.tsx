import { useState } from 'react';
import { Loading } from '../components/loading.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

/** The message itself, which has to be corrected and sent again; read when somebody wants to see it. */
export function DeadLetterMessage({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">The message</summary>
      {isOpen && <Message id={id} />}
    </details>
  );
}

function Message({ id }: { id: string }) {
  const client = useClient();
  const letter = useLoaded(id, (signal) => client.getDeadLetter(id, { signal }));
  return (
    <Loading of={letter}>
      {({ messageId, body, deliveries }) => (
        <>
          <p className="quiet small">
            {messageId === null ? 'Without an id' : `Id ${messageId}`}, delivered {deliveries} times
          </p>
          {body === null ? (
            <p className="small">It is not kept: it held a card number or the code of a gift card.</p>
          ) : (
            <pre className="message">{pretty(body)}</pre>
          )}
        </>
      )}
    </Loading>
  );
}

/** With line breaks where it is JSON, and as it came where it is not. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
