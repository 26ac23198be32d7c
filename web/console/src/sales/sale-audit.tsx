import { Ago } from '../components/ago.js';
import type { Sale } from './sale-page.js';

type Entry = NonNullable<Sale['audit']>[number];

/** Who changed the sale, and why. */
export function SaleAudit({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section className="card table-card" aria-label="Changes">
      <h2 className="table-title">Changes</h2>
      <table className="table">
        <thead>
          <tr>
            <th>Verb</th>
            <th>Rate</th>
            <th>Reason</th>
            <th>By</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ verb, actor, detail, createdAt }) => (
            <tr key={createdAt}>
              <td className="wide">
                <strong>{verb}</strong>
              </td>
              <td data-label="Rate" className="number">
                {textOf(detail['admitPerSecond'])}
              </td>
              <td data-label="Reason">{textOf(detail['reason'])}</td>
              <td data-label="By">{actor}</td>
              <td data-label="When">
                <Ago at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
