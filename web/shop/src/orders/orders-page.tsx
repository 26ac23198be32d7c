import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { lineText } from '../content/line-text.js';
import { explain } from '../explain.js';
import { Empty, Loading } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { useShop } from '../shop.js';
import { CustomerTokenForm } from './customer-token-form.js';
import { customerToken } from './customer-token.js';
import { orderHistory } from './order-history.js';
import { orderText } from './order-text.js';
import type { Order } from './use-order.js';
import './orders.css';

const SHOWN = 20;

export function OrdersPage() {
  usePageTitle('Your orders');
  const { settings } = useShop();
  const { orders, error } = useOrders();
  return (
    <>
      <div className="page-head">
        <h1>Your orders</h1>
        <p className="quiet">Of this browser. Each opens with a key that only this browser has.</p>
      </div>
      {settings.hasCustomerTokens && <CustomerTokenForm />}
      {error !== undefined && (
        <p className="notice bad" role="alert">
          {explain(error)}
        </p>
      )}
      {orders === undefined ? <Loading text="Reading your orders" /> : <OrderList orders={orders} />}
    </>
  );
}

/** Those that this browser has made, or all of a customer's who is known by a token. */
function useOrders(): { orders?: readonly Order[]; error?: unknown } {
  const { client } = useShop();
  const ids = useObservable(orderHistory);
  const token = useObservable(customerToken);
  const [found, setFound] = useState<{ orders?: readonly Order[]; error?: unknown }>({});
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const own = async () => {
      const answers = await Promise.allSettled(ids.slice(0, SHOWN).map((id) => client.getOrder(id, { signal })));
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    };
    const all = async () => (await client.listOrders({ limit: SHOWN }, { signal })).items;
    (token === null ? own() : all()).then(
      (orders) => {
        if (!signal.aborted) setFound({ orders });
      },
      (error: unknown) => {
        if (!signal.aborted) setFound({ orders: [], error });
      },
    );
    return () => stop.abort();
  }, [client, ids, token]);
  return found;
}

function OrderList({ orders }: { orders: readonly Order[] }) {
  if (orders.length === 0) {
    return (
      <Empty title="Nothing yet">
        <p>What you buy is listed here.</p>
        <Link href="/" className="button primary">
          To the shop
        </Link>
      </Empty>
    );
  }
  return (
    <ul className="order-list">
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  );
}

function OrderRow({ order }: { order: Order }) {
  const { chip, tone } = orderText(order);
  const texts = order.lines.map(lineText);
  const title = [...new Set(texts.map((text) => text.title))].join(', ');
  return (
    <li>
      <Link href={`/orders/${order.id}`} className="card order-row">
        <span className="order-pictures">
          {[...new Set(texts.map(({ picture }) => picture))].slice(0, 3).map((picture) => (
            <img key={picture} src={picture} alt="" />
          ))}
        </span>
        <span className="order-row-text">
          <strong>{title}</strong>
          <span className="quiet">
            {new Date(order.createdAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
          </span>
        </span>
        <span className={`chip ${tone}`}>{chip}</span>
        <span className="number order-row-total">{formatMoney(order.total, order.currency)}</span>
      </Link>
    </li>
  );
}
