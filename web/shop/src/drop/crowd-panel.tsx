import type { Sku } from '@checkout-saga/client';
import { useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { useObservable } from '../../../common/observable.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';
import { crowd, inviteCrowd } from './crowd.js';
import type { Sale } from './ticket.js';

const PEOPLE = 20;

/** A queue is no fun alone. */
export function CrowdPanel({ sale, sku }: { sale: Sale; sku: Sku }) {
  const { settings } = useShop();
  const { joined, bought } = useObservable(crowd);
  const [invitedTo, setInvitedTo] = useState('');
  const invite = () => {
    setInvitedTo(sale.id);
    const wanted = { saleId: sale.id, sku: sku.sku, currency: sku.currency };
    inviteCrowd(settings.apiKey, wanted, PEOPLE).catch((error: unknown) => announce(explain(error)));
  };
  if (invitedTo === sale.id) {
    return (
      <p className="crowd quiet number">
        {joined} other people joined, {bought} of them bought.
      </p>
    );
  }
  if (sale.state === 'ENDED' || sale.state === 'SOLD_OUT') return null;
  return (
    <p className="crowd quiet">
      Alone here?{' '}
      <button type="button" className="link-button" onClick={invite}>
        Invite a crowd of {PEOPLE}
      </button>
    </p>
  );
}
