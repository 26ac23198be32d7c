import { isProblem } from '@checkout-saga/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { announce } from '../../../common/announcer.js';
import { useObservable } from '../../../common/observable.js';
import { BasketLines } from '../basket/basket-lines.js';
import { basketState } from '../basket/basket-state.js';
import { Total } from '../basket/cart-content.js';
import { cardName } from '../checkout/test-cards.js';
import { explain } from '../explain.js';
import { Empty, Loading } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { useShop } from '../shop.js';
import { OrderHistoryLines } from './order-timeline.js';
import { OrderSteps } from './order-steps.js';
import { orderText } from './order-text.js';
import { type Order, useOrder } from './use-order.js';
import './orders.css';

export function OrderPage({ id }: { id: string }) {
  usePageTitle('Order');
  const { value: order, error } = useOrder(id);
  if (order) return <OrderView order={order} />;
  if (error === undefined) return <Loading text="Reading the order" />;
  const isUnknown = isProblem(error) && error.status === 404;
  return (
    <Empty title={isUnknown ? 'No such order here' : 'The order cannot be shown'}>
      <p>{isUnknown ? 'An order opens only in the browser that made it.' : explain(error)}</p>
      <Link href="/orders" className="button">
        Your orders
      </Link>
    </Empty>
  );
}

function OrderView({ order }: { order: Order }) {
  const { title, text, tone } = orderText(order);
  return (
    <div className="order">
      <section className={`order-state ${tone}`} aria-live="polite">
        <h1>{title}</h1>
        <p>{text}</p>
        <OrderSteps order={order} />
        <OrderActions order={order} />
      </section>
      <section className="card panel" aria-labelledby="order-lines">
        <h2 id="order-lines" className="panel-title">
          Order <span className="order-number number">{order.id.slice(-8)}</span>
        </h2>
        <BasketLines lines={order.lines} currency={order.currency} isFixed />
        <Total amount={order.total} currency={order.currency} />
        {order.payment && (
          <p className="quiet order-card">
            {order.payment.method ? cardName(order.payment.method) : 'Store credit'} ·{' '}
            {new Date(order.createdAt).toLocaleString('en', TIME)}
          </p>
        )}
        <OrderHistoryLines orderId={order.id} state={order.updatedAt + order.state} />
      </section>
    </div>
  );
}

const TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

function OrderActions({ order }: { order: Order }) {
  const { hold } = useObservable(basketState);
  if (order.nextAction?.type === 'redirect_to_url') {
    return (
      <p className="order-actions">
        <a className="button primary" href={order.nextAction.url}>
          To the bank’s page
        </a>
        <GiveUp orderId={order.id} />
      </p>
    );
  }
  const isHeld = order.state === 'REJECTED' && hold !== undefined && hold.id === order.reservation?.id;
  if (isHeld) {
    return (
      <p className="order-actions">
        <Link href="/checkout" className="button primary">
          Try another card
        </Link>
      </p>
    );
  }
  if (order.state === 'PENDING') return null;
  return (
    <p className="order-actions">
      <Link href="/" className="button">
        Back to the shop
      </Link>
    </p>
  );
}

function GiveUp({ orderId }: { orderId: string }) {
  const { client } = useShop();
  const [isBusy, setBusy] = useState(false);
  const giveUp = async () => {
    setBusy(true);
    try {
      await client.cancelOrder(orderId);
    } catch (error) {
      announce(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="button" disabled={isBusy} onClick={giveUp}>
      Give it up
    </button>
  );
}
