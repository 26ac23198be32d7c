import type { Schemas } from '@checkout-saga/client';
import { useEffect, useState } from 'react';
import { useShop } from '../shop.js';

type Entry = Schemas['TimelineEntry'];

const STEPS: Readonly<Record<string, string>> = {
  'create-order': 'Order written down',
  'reserve-inventory': 'Stock reserved',
  'process-payment': 'Card charged',
  'confirm-order': 'Order confirmed, stock taken',
  'refund-payment': 'Money paid back',
};

/** For the curious: everything that the service noted about the order. */
export function OrderHistoryLines({ orderId, state }: { orderId: string; state: string }) {
  const { client } = useShop();
  const [isOpen, setOpen] = useState(false);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  useEffect(() => {
    if (!isOpen) return;
    const stop = new AbortController();
    client.getOrderTimeline(orderId, { signal: stop.signal }).then(
      ({ items }) => setEntries(items),
      () => undefined, // it is there when the order changes next
    );
    return () => stop.abort();
  }, [client, orderId, isOpen, state]);
  const begun = Date.parse(entries[0]?.at ?? '');
  return (
    <details className="timeline" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What happened behind the curtain</summary>
      <ol>
        {entries.filter(isNews).map((entry, index) => (
          <li key={index}>
            <span className="number quiet">+{Date.parse(entry.at) - begun} ms</span>
            <span>{textOf(entry)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A step that went well has left a note of what it did. */
function isNews({ kind }: Entry): boolean {
  return kind !== 'saga.step.done' && kind !== 'saga.step.prepared';
}

function textOf({ kind, detail }: Entry): string {
  const step = typeof detail['step'] === 'string' ? (STEPS[detail['step']] ?? detail['step']) : undefined;
  if (step === undefined) return sentence(kind.replaceAll(/[._-]/g, ' '));
  const isUndone = kind.startsWith('saga.compensation');
  const result = kind.split('.').at(-1);
  return `${step}${isUndone ? ', taken back' : ''}${result === 'done' ? '' : ` (${result ?? ''})`}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
