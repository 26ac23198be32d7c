import { explainDecline } from '../explain.js';
import type { Order } from './use-order.js';

export interface OrderText {
  readonly chip: string;
  readonly tone: 'good' | 'warn' | 'bad' | '';
  readonly title: string;
  readonly text: string;
}

/** How an order stands, in the buyer's words. */
export function orderText(order: Order): OrderText {
  switch (order.state) {
    case 'CONFIRMED':
      return order.payment && order.payment.refundedAmount > 0
        ? { chip: 'Partly paid back', tone: 'good', title: 'It’s yours.', text: 'A part of the price was paid back.' }
        : { chip: 'Confirmed', tone: 'good', title: 'It’s yours.', text: 'Paid once, and confirmed.' };
    case 'CANCELLED':
      return { chip: 'Cancelled', tone: '', title: 'Cancelled.', text: 'What you paid was paid back.' };
    case 'REJECTED':
      return { chip: 'Not bought', tone: 'bad', title: 'Not bought.', text: rejectionText(order) };
    case 'PENDING':
      return pendingText(order);
  }
}

function pendingText({ payment, nextAction }: Order): OrderText {
  const chip = { chip: 'Under way', tone: 'warn' } as const;
  if (nextAction) return { ...chip, title: 'Your bank asks for you.', text: 'Approve the payment on the bank’s page.' };
  if (payment?.state === 'IN_DOUBT') {
    return {
      ...chip,
      title: 'The bank is silent.',
      text: 'We ask it again, without paying again. Your things are kept for you meanwhile.',
    };
  }
  return { ...chip, title: 'One moment.', text: 'Your payment is under way. You may close this page, it goes on.' };
}

const REJECTIONS: Readonly<Record<string, string>> = {
  CANCELLED: 'You gave up the payment.',
  OUT_OF_STOCK: 'Somebody else was faster.',
  RESERVATION_EXPIRED: 'The time was over.',
};

function rejectionText({ rejection }: Order): string {
  const { code = '', declineCode } = rejection ?? {};
  const reason = code === 'PAYMENT_DECLINED' ? explainDecline(declineCode) : REJECTIONS[code];
  return `${reason ?? 'The payment could not be made.'} Nothing was charged.`;
}
