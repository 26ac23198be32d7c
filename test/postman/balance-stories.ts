import { has, problem, save, status, Step, Story } from './story.js';

const mugs = (quantity: number) => [{ sku: '{{mug}}', quantity }];
const buy = (name: string, body: object, tests: readonly string[], about?: string): Step => ({
  name,
  call: 'POST /v1/checkouts',
  key: true,
  body: { currency: 'EUR', lines: mugs(1), payment: { method: 'pm_card_visa' }, ...body },
  tests,
  ...(about !== undefined && { about }),
});
const card = (method?: string) => ({ payment: { method, credit: [{ giftCardCode: '{{giftCardCode}}' }] } });

/** Coupons, store credit, gift cards, and limits per customer. */
export const BALANCE_STORIES: readonly Story[] = [
  {
    name: 'Coupons',
    about: 'A redemption is held, taken and given back with the goods: two buyers never share the last one.',
    steps: [
      {
        name: 'Create a coupon that can be redeemed once',
        call: 'PUT /v1/coupons/{{coupon}}',
        as: 'admin',
        body: { percentOff: 10, maxRedemptions: 1, minimumAmount: 1_000 },
        tests: [status(201), has('percentOff', 10), has('redeemed', 0)],
      },
      {
        name: 'Price a basket with it',
        call: 'POST /v1/checkouts/quote',
        body: { currency: 'EUR', lines: mugs(2), coupons: ['{{coupon}}'] },
        tests: [status(200), has('total', 2250), has('totals[1].amount', -250), has('amountDue', 2250)],
      },
      {
        name: 'Price it with one that does not exist',
        call: 'POST /v1/checkouts/quote',
        body: { currency: 'EUR', lines: mugs(1), coupons: ['NO-SUCH-COUPON'] },
        tests: problem(404, 'COUPON_NOT_FOUND'),
      },
      buy('Redeem it', { coupons: ['{{coupon}}'] }, [
        status(201),
        has('total', 1125),
        has('payment.amount', 1125),
        save('couponOrderId', 'id'),
      ]),
      buy('Redeem it again', { coupons: ['{{coupon}}'] }, problem(409, 'COUPON_EXHAUSTED')),
      {
        name: 'Cancel the order: the redemption comes back',
        call: 'POST /v1/orders/{{couponOrderId}}/cancel',
        as: 'admin',
        key: true,
        body: {},
        tests: [status(200), has('state', 'CANCELLED')],
      },
      {
        name: 'It can be redeemed again',
        call: 'GET /v1/coupons/{{coupon}}',
        as: 'admin',
        tests: [status(200), has('redeemed', 0), has('held', 0)],
      },
      {
        name: 'Raise its minimum',
        call: 'PUT /v1/coupons/{{coupon}}',
        as: 'admin',
        body: { percentOff: 10, minimumAmount: 1_000_000 },
        tests: [status(200), has('minimumAmount', 1_000_000)],
      },
      buy('A basket that is too small', { coupons: ['{{coupon}}'] }, [
        ...problem(409, 'COUPON_NOT_APPLICABLE'),
        has('reason', 'MINIMUM_AMOUNT'),
      ]),
    ],
  },
  {
    name: 'Gift cards and store credit',
    about: 'Credit pays first, the card the rest. What is paid back goes to the card first, then to credit.',
    steps: [
      {
        name: 'Issue a gift card',
        call: 'POST /v1/gift-cards',
        as: 'admin',
        body: { amount: 1_500, currency: 'EUR' },
        tests: [status(201), save('giftCardCode', 'code'), save('giftCardAccount', 'accountId')],
        about: 'The code is in this answer and nowhere else.',
      },
      buy('Pay with it alone', card(), [
        status(201),
        has('amountDue', 0),
        has('payment.method', null),
        has('totals[1].label', 'Gift card'),
      ]),
      buy('It does not suffice any more', card(), problem(409, 'INSUFFICIENT_CREDIT')),
      buy('Pay the rest by card', card('pm_card_visa'), [
        status(201),
        has('amountDue', 1000),
        has('payment.amount', 1000),
        save('creditOrderId', 'id'),
      ]),
      buy('A code that no card has', { payment: { credit: [{ giftCardCode: '00000-00000-00000-00000' }] } }, [
        ...problem(404, 'ACCOUNT_NOT_FOUND'),
      ]),
      {
        name: 'Refund more than the card paid',
        call: 'POST /v1/orders/{{creditOrderId}}/refunds',
        as: 'admin',
        key: true,
        body: { amount: 1_100, reason: 'arrived with a scratch' },
        tests: [status(201), has('state', 'SETTLED'), has('amount', 1100), has('credited', 100)],
      },
      {
        name: 'The gift card has its part back',
        call: 'GET /v1/accounts/{{giftCardAccount}}',
        as: 'admin',
        tests: [status(200), has('balance', 100), has('held', 0), has('available', 100)],
      },
      {
        name: 'Open an account for a customer',
        call: 'PUT /v1/accounts/{{account}}',
        as: 'admin',
        body: { currency: 'EUR', customerId: '{{account}}-customer' },
        tests: [status(201), has('balance', 0)],
      },
      {
        name: 'Add credit',
        call: 'POST /v1/accounts/{{account}}/entries',
        as: 'admin',
        key: true,
        body: { amount: 2_000, reason: 'goodwill' },
        tests: [status(201), has('balance', 2000), has('available', 2000)],
      },
      {
        name: 'Take away more than is there',
        call: 'POST /v1/accounts/{{account}}/entries',
        as: 'admin',
        key: true,
        body: { amount: -2_001, reason: 'a mistake' },
        tests: problem(409, 'INSUFFICIENT_CREDIT'),
      },
      {
        name: 'An admin spends it for the customer',
        call: 'POST /v1/checkouts',
        as: 'admin',
        key: true,
        body: { currency: 'EUR', lines: mugs(1), payment: { credit: [{ accountId: '{{account}}' }] } },
        tests: [status(201), has('amountDue', 0), has('credit.amount', 1250)],
      },
      {
        name: 'Its entries',
        call: 'GET /v1/accounts/{{account}}/entries?limit=1',
        as: 'admin',
        tests: [status(200), has('items[0].kind', 'PURCHASE'), has('items[0].amount', -1250)],
      },
    ],
  },
  {
    name: 'A limit per customer',
    about: 'Over all orders that are held or confirmed, by the customer’s id or else by their mailbox.',
    steps: [
      {
        name: 'Create a limited mug',
        call: 'PUT /v1/skus/{{mug}}-limited',
        as: 'admin',
        body: { name: 'Limited mug', unitAmount: 1250, currency: 'EUR', onHand: 10, maxPerCustomer: 1 },
        tests: [status(201), has('maxPerCustomer', 1)],
      },
      ...['ada@example.com', 'Ada+again@example.com'].map((email, index) =>
        buy(
          index === 0 ? 'Buy one' : 'Buy another with the same mailbox',
          { lines: [{ sku: '{{mug}}-limited', quantity: 1 }], customer: { email } },
          index === 0 ? [status(201), save('limitedOrderId', 'id')] : problem(409, 'LIMIT_EXCEEDED'),
        ),
      ),
    ],
  },
];
