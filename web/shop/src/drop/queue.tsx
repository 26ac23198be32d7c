import type { Sku } from '@checkout-saga/client';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { announce } from '../../../common/announcer.js';
import { formatCountdown } from '../../../common/countdown.js';
import { useObservable } from '../../../common/observable.js';
import { useNow } from '../../../common/use-now.js';
import { basketState } from '../basket/basket-state.js';
import { toLocalTime } from '../connection.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';
import { join, type Place, type Sale, type Ticket, useTicket } from './ticket.js';

interface QueueProps {
  readonly sale: Sale;
  readonly sku: Sku;
  readonly mine: Place | null;
  readonly onRenew: () => void;
}

/** Where the buyer stands, and what to do about it. */
export function Queue({ sale, sku, mine, onRenew }: QueueProps) {
  const { value: ticket } = useTicket(mine);
  const isOver = sale.state === 'ENDED' || sale.state === 'SOLD_OUT';
  return (
    <section className="card panel queue" aria-live="polite" aria-label="Your place in the queue">
      {ticket?.reservationId !== undefined ? (
        <Served sale={sale} />
      ) : ticket?.state === 'ADMITTED' && mine ? (
        <Called ticket={ticket} mine={mine} sku={sku} />
      ) : isOver || ticket?.state === 'SOLD_OUT' ? (
        <Over title="Sold out." text="Somebody else has the last one." onRenew={onRenew} />
      ) : ticket?.state === 'EXPIRED' ? (
        <Over title="Too late." text="You were called, and the time to reserve is over." onRenew={onRenew} />
      ) : ticket ? (
        <Waiting sale={sale} ticket={ticket} />
      ) : (
        <Outside sale={sale} />
      )}
    </section>
  );
}

function Outside({ sale }: { sale: Sale }) {
  const { client } = useShop();
  const [isBusy, setBusy] = useState(false);
  const leftMs = toLocalTime(sale.startsAt) - useNow();
  const enter = async () => {
    setBusy(true);
    try {
      await join(client, sale.id);
    } catch (error) {
      announce(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <h2>{leftMs > 0 ? <Opening leftMs={leftMs} /> : 'The doors are open.'}</h2>
      <p className="quiet">
        {sale.tickets.waiting === 0 ? 'Nobody waits yet.' : `${sale.tickets.waiting} people wait.`} You are let in one
        after the other, and nobody can jump the queue.
      </p>
      <button type="button" className="button primary wide" disabled={isBusy} onClick={enter}>
        Join the queue
      </button>
    </>
  );
}

function Opening({ leftMs }: { leftMs: number }) {
  return (
    <>
      The doors open in{' '}
      <span className="number" role="timer" aria-live="off">
        {formatCountdown(leftMs)}
      </span>
    </>
  );
}

function Waiting({ sale, ticket }: { sale: Sale; ticket: Ticket }) {
  const leftMs = toLocalTime(sale.startsAt) - useNow();
  if (leftMs > 0) {
    return (
      <>
        <h2>
          <Opening leftMs={leftMs} />
        </h2>
        <p className="quiet">You take part in the draw, with {sale.tickets.waiting} in it so far.</p>
      </>
    );
  }
  return (
    <>
      <p className="quiet">Your place</p>
      <p className="queue-place number">{ticket.position}</p>
      <progress
        max={Math.max(sale.tickets.issued, 1)}
        value={sale.tickets.issued - ticket.position}
        aria-label="The way through the queue"
      />
      <p className="quiet">
        About {formatCountdown(ticket.estimatedWaitSeconds * 1_000)} to go. Keep this page open, or come back: your
        place is kept.
      </p>
    </>
  );
}

function Called({ ticket, mine, sku }: { ticket: Ticket; mine: Place; sku: Sku }) {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const { hold } = useObservable(basketState);
  const leftMs = toLocalTime(ticket.admittedUntil ?? '') - useNow();
  const reserve = async () => {
    setBusy(true);
    try {
      await basket.holdFromSale(sku.currency, { sku: sku.sku, quantity: 1 }, { id: mine.saleId, token: mine.token });
      navigate('/checkout');
    } catch (error) {
      announce(explain(error, () => sku.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <h2>You are in.</h2>
      <p className="quiet">
        Reserve within{' '}
        <span className="number" role="timer" aria-live="off">
          {formatCountdown(leftMs)}
        </span>
        , then you have a quarter of an hour to pay.
      </p>
      {hold ? (
        <p className="notice warn">
          <span>
            You hold other things. <Link href="/checkout">Pay for them or give them back</Link> first.
          </span>
        </p>
      ) : (
        <button type="button" className="button primary wide" disabled={isBusy} onClick={reserve}>
          Reserve my print
        </button>
      )}
    </>
  );
}

function Served({ sale }: { sale: Sale }) {
  const { hold } = useObservable(basketState);
  const isHeld = hold?.saleId === sale.id;
  return (
    <>
      <h2>{isHeld ? 'Your print is kept for you.' : 'You have yours.'}</h2>
      <Link href={isHeld ? '/checkout' : '/orders'} className="button primary wide">
        {isHeld ? 'Go on to payment' : 'Your orders'}
      </Link>
    </>
  );
}

function Over({ title, text, onRenew }: { title: string; text: string; onRenew: () => void }) {
  return (
    <>
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      <button type="button" className="button wide" onClick={onRenew}>
        Wait for the next drop
      </button>
    </>
  );
}
