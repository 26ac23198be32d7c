import type { Answer } from '@checkout-saga/client';
import { useState } from 'react';
import { formatMoney } from '../../../common/money.js';
import { Ago } from '../components/ago.js';
import { CopyText } from '../components/copy-text.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { StateChip } from '../components/state-chip.js';
import { VerbButton } from '../components/verb-button.js';
import { shortId } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { Axis } from './axis.js';
import { ComparisonPanel } from './comparison-panel.js';
import { GoodsPanel } from './goods-panel.js';
import { DisputeNotice } from './dispute-notice.js';
import { Deliveries, Refunds } from './order-lists.js';
import { SagaPanel } from './saga-panel.js';
import './order.css';

export type Dossier = Answer<'getOrderDossier'>;

/** An order that is under way changes in front of its operator; one that has ended seldom does. */
const OPEN_MS = 1_500;
const ENDED_MS = 6_000;
const OPEN = new Set(['RUNNING', 'WAITING', 'COMPENSATING', 'STUCK']);

/** One order on one axis, with everything that belongs to it. */
export function OrderPage({ id }: { id: string }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(true);
  const dossier = useLoaded(id, (signal) => client.getOrderDossier(id, { signal }), isOpen ? OPEN_MS : ENDED_MS);
  const isOpenNow = dossier.value?.sagas.some(({ state }) => OPEN.has(state)) ?? true;
  if (isOpenNow !== isOpen) setOpen(isOpenNow);
  return <Loading of={dossier}>{(value) => <OrderView dossier={value} reload={dossier.reload} />}</Loading>;
}

function OrderView({ dossier, reload }: { dossier: Dossier; reload: () => void }) {
  const { order, sagas, verbs, axis } = dossier;
  return (
    <>
      <PageHead title={`Order ${shortId(order.id)}`} about={<OrderFacts dossier={dossier} />}>
        {verbs.map((preview) => (
          <VerbButton key={preview.verb} subject={{ kind: 'order', id: order.id }} preview={preview} onDone={reload} />
        ))}
      </PageHead>
      {order.rejection && (
        <p className="notice warn order-notice">
          <strong>Rejected: {order.rejection.code.replaceAll('_', ' ').toLowerCase()}</strong>
          <span>{[order.rejection.detail, order.rejection.declineCode].filter(Boolean).join(' · ')}</span>
        </p>
      )}
      {dossier.payment?.dispute && <DisputeNotice dispute={dossier.payment.dispute} />}
      <div className="stack">
        {sagas
          .filter(({ state }) => OPEN.has(state))
          .map((saga) => (
            <SagaPanel key={saga.id} saga={saga} onDone={reload} />
          ))}
        <Axis spans={axis} sagas={sagas} />
        <div className="columns">
          <GoodsPanel dossier={dossier} />
          <ComparisonPanel id={order.id} version={order.updatedAt} />
        </div>
        <Refunds refunds={dossier.refunds} />
        <Deliveries dossier={dossier} reload={reload} />
      </div>
    </>
  );
}

function OrderFacts({ dossier: { order, payment, traceId, traceUrl } }: { dossier: Dossier }) {
  return (
    <span className="head-facts">
      <StateChip state={order.state} />
      <span className="number">{formatMoney(order.total, order.currency)}</span>
      <span>{order.customer.email ?? order.customer.id ?? 'guest'}</span>
      <Ago at={order.createdAt} />
      <CopyText text={order.id} what="order’s id" />
      {payment?.transactionId && <CopyText text={payment.transactionId} what="provider’s id" />}
      {traceId !== undefined && <CopyText text={traceId} what="trace’s id" label="trace" />}
      {traceUrl !== undefined && <a href={traceUrl}>its trace</a>}
    </span>
  );
}
