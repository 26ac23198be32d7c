import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { StateChip } from '../components/state-chip.js';
import { formatCount, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const EVERY_MS = 3_000;

export function BulkRunsPage() {
  const client = useClient();
  const given = useFilters();
  const query = { limit: 50, ...given };
  const runs = useLoaded(JSON.stringify(query), (signal) => client.listBulkRuns(query, { signal }), EVERY_MS);
  return (
    <>
      <PageHead
        title="Bulk runs"
        about="A verb over everything that a filter finds: planned first, then started. They go on when this page is closed."
      >
        <Link className="button small primary" href="/bulk/new">
          Plan a run
        </Link>
      </PageHead>
      <Loading of={runs}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <div className="card empty">
              <strong>No bulk runs yet</strong>
              <span className="quiet">Plan one, or begin with a cause that needs a person.</span>
            </div>
          ) : (
            <>
              <div className="card table-card">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Run</th>
                      <th>State</th>
                      <th className="right">Done</th>
                      <th className="right">Refused</th>
                      <th className="right">Failed</th>
                      <th className="right">Of</th>
                      <th>Reason</th>
                      <th>By</th>
                      <th>Planned</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ id, action, state, done, refused, failed, total, reason, actor, createdAt }) => (
                      <tr key={id}>
                        <td className="wide">
                          <Link href={`/bulk/${id}`}>{words(action)}</Link>
                        </td>
                        <td data-label="State">
                          <StateChip state={state} />
                        </td>
                        <td data-label="Done" className="right number">
                          {formatCount(done)}
                        </td>
                        <td data-label="Refused" className="right number">
                          {formatCount(refused)}
                        </td>
                        <td data-label="Failed" className="right number">
                          {formatCount(failed)}
                        </td>
                        <td data-label="Of" className="right number">
                          {formatCount(total)}
                        </td>
                        <td data-label="Reason">{reason}</td>
                        <td data-label="By">{actor}</td>
                        <td data-label="Planned">
                          <Ago at={createdAt} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager shown={items.length} nextCursor={nextCursor} what="runs" />
            </>
          )
        }
      </Loading>
    </>
  );
}
