import type { Query } from '@checkout-saga/client';
import { Link } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { type FilterField, Filters, useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { formatCount } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { HotSkuBoard } from './hot-skus.js';

const FIELDS: readonly FilterField[] = [{ name: 'group', label: 'Group' }];
const PAGE = 100;

export function StockPage() {
  const client = useClient();
  const given = useFilters('group');
  const query = { limit: PAGE, ...given } as Query<'listSkus'>;
  const skus = useLoaded(JSON.stringify(query), (signal) => client.listSkus(query, { signal }));
  return (
    <>
      <PageHead title="Stock" about="Open a SKU to see it, and to adjust it." />
      <div className="stack">
        <HotSkuBoard />
        <div>
          <Filters fields={FIELDS} />
          <Loading of={skus}>
            {({ items, nextCursor }) => (
              <>
                <div className="card table-card">
                  <table className="table">
                    <thead>
                      <tr>
                        <th>SKU</th>
                        <th>Name</th>
                        <th>Group</th>
                        <th className="right">Price</th>
                        <th className="right">On hand</th>
                        <th className="right">Held</th>
                        <th className="right">Available</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map(({ sku, name, group, unitAmount, currency, onHand, reserved, available }) => (
                        <tr key={sku}>
                          <td className="wide">
                            <Link className="id" href={`/stock/${encodeURIComponent(sku)}`}>
                              {sku}
                            </Link>
                          </td>
                          <td data-label="Name">{name}</td>
                          <td data-label="Group">{group ?? ''}</td>
                          <td data-label="Price" className="right number">
                            {formatMoney(unitAmount, currency)}
                          </td>
                          <td data-label="On hand" className="right number">
                            {formatCount(onHand)}
                          </td>
                          <td data-label="Held" className="right number">
                            {formatCount(reserved)}
                          </td>
                          <td data-label="Available" className="right number">
                            {available === 0 ? <span className="chip bad">sold out</span> : formatCount(available)}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Pager shown={items.length} nextCursor={nextCursor} what="SKUs" />
              </>
            )}
          </Loading>
        </div>
      </div>
    </>
  );
}
