import { useState } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { announce } from '../../../common/announcer.js';
import { useObservable } from '../../../common/observable.js';
import { BasketLines } from '../basket/basket-lines.js';
import { basketState, type Hold, isFixed } from '../basket/basket-state.js';
import { Total } from '../basket/cart-content.js';
import { explain } from '../explain.js';
import { Empty } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { useShop } from '../shop.js';
import { HoldBanner } from './hold-banner.js';
import { PaymentForm } from './payment-form.js';
import { Recovery } from './recovery.js';
import './checkout.css';

export function CheckoutPage() {
  usePageTitle('Check out');
  const { hold, cart, bought } = useObservable(basketState);
  if (!hold && bought !== undefined && cart.length === 0) return <Redirect to={`/orders/${bought}`} replace />;
  if (!hold) {
    return (
      <Empty title={cart.length > 0 ? 'Nothing is kept for you' : 'Your cart is empty'}>
        <p>{cart.length > 0 ? 'What you wanted is still in your cart: check out again to have it kept.' : ''}</p>
        <Link href="/" className="button primary">
          To the shop
        </Link>
      </Empty>
    );
  }
  if (typeof hold.payment === 'object') return <UnderWay orderId={hold.payment.orderId} />;
  return <Checkout hold={hold} />;
}

function Checkout({ hold }: { hold: Hold }) {
  const { basket } = useShop();
  const [refusal, setRefusal] = useState('');
  const isPaying = useObservable(basket.payments.isPaying);
  const isSending = hold.payment === 'sending';
  const refuse = async (error: unknown) => {
    setRefusal(explain(error));
    const end = await basket.refresh().catch(() => 'held');
    if (end === 'expired') announce(`${explain(error)} Your things are back in the cart.`);
  };
  return (
    <>
      <div className="page-head">
        <h1>Check out</h1>
      </div>
      {!isSending && <HoldBanner hold={hold} />}
      <div className="columns">
        {isSending && !isPaying ? (
          <Recovery hold={hold} onRefused={refuse} />
        ) : (
          <PaymentForm hold={hold} refusal={refusal} onRefused={refuse} onSent={() => setRefusal('')} />
        )}
        <aside className="card panel" aria-labelledby="summary">
          <h2 id="summary" className="panel-title">
            Your order
          </h2>
          <BasketLines lines={hold.lines} currency={hold.currency} isFixed={isFixed(hold)} />
          {/* Coupons and gift cards go here, between the lines and the total. */}
          <Total amount={hold.total} currency={hold.currency} />
          {!isSending && <LetGo />}
        </aside>
      </div>
    </>
  );
}

function LetGo() {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const letGo = async () => {
    try {
      await basket.letGo();
      announce('Nothing is kept for you any more');
      navigate('/');
    } catch (error) {
      announce(explain(error));
    }
  };
  return (
    <p className="let-go">
      <button type="button" className="link-button" onClick={letGo}>
        Give it back
      </button>
    </p>
  );
}

function UnderWay({ orderId }: { orderId: string }) {
  return (
    <Empty title="Your payment is under way">
      <p>You are not asked to pay twice. The order shows how it stands.</p>
      <Link href={`/orders/${orderId}`} className="button primary">
        To the order
      </Link>
    </Empty>
  );
}
