import type { Schemas } from '@checkout-saga/client';
import { Ago } from '../components/ago.js';
import { StateChip } from '../components/state-chip.js';
import { formatCount, formatRate } from '../data/format.js';

/** Who is there, and what each of them has leased. */
export function InstanceTable({ instances }: { instances: readonly Schemas['InstanceView'][] }) {
  return (
    <section className="card table-card" aria-label="Instances">
      <h2 className="table-title">Instances</h2>
      <table className="table">
        <thead>
          <tr>
            <th>Instance</th>
            <th>State</th>
            <th className="right">Checkouts/s</th>
            <th className="right">Sagas leased</th>
            <th className="right">Locks held</th>
            <th>Breaker</th>
            <th>Release</th>
            <th>Started</th>
            <th>Seen</th>
          </tr>
        </thead>
        <tbody>
          {instances.map((instance) => {
            const { id, host, pid, release, state, isSilent, startedAt, seenAt, sagas, locks, perSecond, breaker } =
              instance;
            return (
              <tr key={id}>
                <td className="wide">
                  <code>{id}</code>{' '}
                  <span className="quiet small">
                    {host}, {pid}
                  </span>
                </td>
                <td data-label="State">
                  {isSilent ? <span className="chip state bad">silent</span> : <StateChip state={state} />}
                </td>
                <td data-label="Checkouts/s" className="right number">
                  {formatRate(perSecond)}
                </td>
                <td data-label="Sagas leased" className="right number">
                  {formatCount(sagas)}
                </td>
                <td data-label="Locks held" className="right number">
                  {formatCount(locks)}
                </td>
                <td data-label="Breaker">{breaker ?? '–'}</td>
                <td data-label="Release">{release}</td>
                <td data-label="Started">
                  <Ago at={startedAt} />
                </td>
                <td data-label="Seen">
                  <Ago at={seenAt} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
