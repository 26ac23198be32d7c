import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { Figures } from '../components/figures.js';
import { AuditCells } from '../components/audit-cells.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { VerbDialog } from '../components/verb-dialog.js';
import type { Reading } from '../components/verb-request.js';
import { formatCount } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type Sku = Schemas['Sku'];

const EVERY_MS = 2_000;
const ACTIONS = 20;

export function SkuPage({ sku }: { sku: string }) {
  const client = useClient();
  const stock = useLoaded(sku, (signal) => client.getSku(sku, { signal }), EVERY_MS);
  return <Loading of={stock}>{(value) => <SkuView stock={value} reload={stock.reload} />}</Loading>;
}

function SkuView({ stock, reload }: { stock: Sku; reload: () => void }) {
  const { sku, name, group, unitAmount, currency, onHand, reserved, available } = stock;
  return (
    <>
      <PageHead title={name} about={[sku, group, formatMoney(unitAmount, currency)].filter(Boolean).join(' · ')}>
        <AdjustStock stock={stock} onDone={reload} />
        <Link className="button small" href={`/orders?sku=${encodeURIComponent(sku)}`}>
          Its orders
        </Link>
      </PageHead>
      <div className="stack">
        <section className="card panel" aria-label="Stock">
          <Figures
            of={[
              ['Available', available],
              ['Held or being bought', reserved],
              ['On hand', onHand],
            ]}
          />
        </section>
        <Adjustments sku={sku} version={onHand} />
      </div>
    </>
  );
}

function AdjustStock({ stock: { sku, name, onHand, reserved }, onDone }: { stock: Sku; onDone: () => void }) {
  const client = useClient();
  return (
    <VerbDialog
      label="Adjust stock"
      tone="primary"
      title="Adjust the stock"
      subject={`${name}, ${sku}`}
      about="A delivery, a loss or a count. It runs under the lock of the SKU, like every sale."
      field={{ label: 'Change by', placeholder: '+12 or -3', read: (text) => readDelta(text, onHand, reserved) }}
      confirm="Adjust"
      act={async ({ reason, value, idempotencyKey }) => {
        const adjusted = await client.adjustStock(sku, { delta: Number(value), reason }, { idempotencyKey });
        return `${formatCount(adjusted.onHand)} are on hand`;
      }}
      onDone={onDone}
    />
  );
}

function readDelta(text: string, onHand: number, reserved: number): Reading {
  const delta = Number(text);
  if (text.trim() === '' || !Number.isInteger(delta) || delta === 0)
    return {
      text: `${formatCount(onHand)} on hand, ${formatCount(reserved)} of them held.`,
      canConfirm: false,
    };
  if (onHand + delta < reserved)
    return { text: `${formatCount(reserved)} are held: it cannot fall below that.`, isWrong: true, canConfirm: false };
  return { text: `${formatCount(onHand)} on hand become ${formatCount(onHand + delta)}.`, canConfirm: true };
}

/** Who changed it, and why; asked for again when the stock has changed. */
function Adjustments({ sku, version }: { sku: string; version: number }) {
  const client = useClient();
  const query = { subject: sku, verb: 'adjust', limit: ACTIONS } as const;
  const actions = useLoaded(`${sku} ${version}`, (signal) => client.listOperatorActions(query, { signal }));
  return (
    <section className="card table-card" aria-label="Adjustments">
      <h2 className="table-title">Adjustments</h2>
      <Loading of={actions}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet table-note">None by an operator.</p>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th className="right">Change</th>
                  <th className="right">On hand then</th>
                  <th>Reason</th>
                  <th>By</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, detail, reason, actor, at }) => (
                  <tr key={id}>
                    <td data-label="Change" className="right number">
                      {signed(detail['delta'])}
                    </td>
                    <td data-label="On hand then" className="right number">
                      {String(detail['onHand'])}
                    </td>
                    <AuditCells reason={reason} actor={actor} at={at} />
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loading>
    </section>
  );
}

function signed(value: unknown): string {
  return typeof value === 'number' && value > 0 ? `+${value}` : String(value);
}
