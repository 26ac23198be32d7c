import type { Schemas } from '@checkout-saga/client';
import { formatMoney } from '../../../common/money.js';
import { formatTime, words } from '../data/format.js';

/** The customer's bank wants the money back. It is answered at the provider, not here. */
export function DisputeNotice({ dispute }: { dispute: Schemas['Dispute'] }) {
  const { id, state, amount, currency, reason, respondBy } = dispute;
  const isOpen = state === 'OPEN';
  return (
    <p className={`notice ${isOpen ? 'bad' : 'warn'} order-notice`}>
      <strong>
        Dispute {state.toLowerCase()}: {formatMoney(amount, currency)}, {words(reason)}
      </strong>
      <span>
        {isOpen && respondBy !== undefined && `Answer it at the provider until ${formatTime(respondBy)}. `}
        <code>{id}</code>
      </span>
    </p>
  );
}
