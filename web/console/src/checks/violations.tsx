import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { formatCount, shortId, words } from '../data/format.js';

type Interval = Schemas['InvariantInterval'];

/** The rows that broke an invariant, member by member, with links to what they are about. */
export function Violations({ interval: { violations, count } }: { interval: Interval }) {
  return (
    <ul className="violations">
      {violations.map((violation, index) => {
        const { problem = 'violated', ...members } = violation;
        return (
          <li key={index}>
            <strong>{problem}</strong>
            <dl className="violation-facts">
              {flatten(members).map(([name, value]) => (
                <div key={name}>
                  <dt>{words(name)}</dt>
                  <dd>
                    <Value name={name} value={value} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
      {count > violations.length && <li className="quiet">and {formatCount(count - violations.length)} more</li>}
    </ul>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  const kind = name.split('.').at(-1);
  if (kind === 'orderId')
    return (
      <Link className="id" href={`/orders/${value}`}>
        {shortId(value)}
      </Link>
    );
  if (kind === 'sku')
    return (
      <Link className="id" href={`/stock/${encodeURIComponent(value)}`}>
        {value}
      </Link>
    );
  return <code>{value}</code>;
}

/** `{ours: {captured: 1}}` is `ours.captured`. */
function flatten(members: object, path = ''): [string, string][] {
  return Object.entries(members).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const whole = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'object' && value !== null) return flatten(value, whole);
    return [[whole, String(value)]];
  });
}
