import { Loading } from '../components/loading.js';
import { Figures } from '../components/figures.js';
import { countOf } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import type { Sale } from './sale-page.js';

const EVERY_MS = 3_000;
const MAX_SKUS = 200;

/** What is left of what the sale sells, over all of its SKUs. */
export function SaleStock({ sale: { group, skus = [] } }: { sale: Sale }) {
  const client = useClient();
  const read = async (signal: AbortSignal) => {
    if (group !== undefined) return client.listSkus({ group, limit: MAX_SKUS }, { signal });
    const items = await Promise.all(skus.slice(0, 20).map((sku) => client.getSku(sku, { signal })));
    return { items, nextCursor: skus.length > items.length ? 'more' : null };
  };
  const stock = useLoaded(`stock of ${group ?? skus.join()}`, read, EVERY_MS);
  return (
    <section className="card panel" aria-label="What is left">
      <h2 className="panel-title">What is left</h2>
      <Loading of={stock}>
        {({ items, nextCursor }) => {
          const sumOf = (member: 'available' | 'reserved' | 'onHand') =>
            items.reduce((sum, item) => sum + item[member], 0);
          return (
            <>
              <Figures
                of={[
                  ['Available', sumOf('available')],
                  ['Held or being bought', sumOf('reserved')],
                  ['On hand', sumOf('onHand')],
                ]}
              />
              <p className="quiet small">
                {nextCursor === null ? '' : 'the first '}
                {countOf(items.length, 'SKU')}
              </p>
            </>
          );
        }}
      </Loading>
    </section>
  );
}
