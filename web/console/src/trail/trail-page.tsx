import type { Query } from '@checkout-saga/client';
import { Link } from 'wouter';
import { AuditCells } from '../components/audit-cells.js';
import { type FilterField, Filters, useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { shortId, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const VERBS = [
  'retry',
  'compensate',
  'resolve',
  'capture',
  'refund',
  'cancel',
  'replay',
  'discard',
  'adjust',
  'erase',
  'start',
  'stop',
];
const FIELDS: readonly FilterField[] = [
  { name: 'verb', label: 'Verb', options: VERBS },
  { name: 'actor', label: 'By' },
  { name: 'orderId', label: 'Order' },
  { name: 'subject', label: 'Subject' },
  { name: 'runId', label: 'Bulk run' },
];

/** What operators did, and why. */
export function TrailPage() {
  const client = useClient();
  const given = useFilters('verb', 'actor', 'orderId', 'subject', 'runId');
  const query = { limit: 50, ...given } as Query<'listOperatorActions'>;
  const actions = useLoaded(JSON.stringify(query), (signal) => client.listOperatorActions(query, { signal }));
  return (
    <>
      <PageHead
        title="Audit trail"
        about="Every verb that took effect, written in the transaction of its effect: neither is there without the other."
      />
      <Filters fields={FIELDS} />
      <Loading of={actions}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <div className="card empty">
              <strong>Nobody has done anything</strong>
              <span className="quiet">At least nothing that fits these filters.</span>
            </div>
          ) : (
            <>
              <div className="card table-card">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Verb</th>
                      <th>What</th>
                      <th>Order</th>
                      <th>Reason</th>
                      <th>By</th>
                      <th>When</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ id, verb, subjectKind, subject, orderId, reason, actor, runId, at }) => (
                      <tr key={id}>
                        <td className="wide">
                          <strong>{verb}</strong>
                          {runId !== null && (
                            <>
                              {' '}
                              <Link className="quiet small" href={`/bulk/${runId}`}>
                                in bulk
                              </Link>
                            </>
                          )}
                        </td>
                        <td data-label="What">
                          {words(subjectKind)} <code className="quiet">{shortId(subject)}</code>
                        </td>
                        <td data-label="Order">
                          {orderId !== null && (
                            <Link className="id" href={`/orders/${orderId}`}>
                              {shortId(orderId)}
                            </Link>
                          )}
                        </td>
                        <AuditCells reason={reason} actor={actor} at={at} />
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager shown={items.length} nextCursor={nextCursor} what="actions" />
            </>
          )
        }
      </Loading>
    </>
  );
}
