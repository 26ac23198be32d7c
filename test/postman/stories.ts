import { equals, has, header, problem, save, status, Step, Story, until } from './story.js';

const mugs = (quantity: number) => [{ sku: '{{mug}}', quantity }];
const chairs = (quantity: number) => [{ sku: '{{mug}}-chair', quantity }];
const visa = { method: 'pm_card_visa' };
const basket = (quantity: number, more: object = {}) => ({
  customer: { email: 'ada@example.com' },
  currency: 'EUR',
  lines: mugs(quantity),
  payment: visa,
  ...more,
});

const buyOne = (prefix: string, quantity = 1): Step => ({
  name: quantity === 1 ? 'Buy a mug' : `Buy ${quantity} mugs`,
  call: 'POST /v1/checkouts',
  key: true,
  body: basket(quantity),
  tests: [
    status(201),
    has('state', 'CONFIRMED'),
    save(`${prefix}OrderId`, 'id'),
    save(`${prefix}Token`, 'accessToken'),
  ],
});

const sku = (name: string, variable: string, unitAmount: number, onHand: number): Step => ({
  name: `Create ${name}`,
  call: `PUT /v1/skus/{{${variable}}}`,
  as: 'admin',
  body: { name, unitAmount, currency: 'EUR', group: '{{group}}', onHand },
  tests: [status(201), has('onHand', onHand), has('reserved', 0)],
});

const stock = (name: string, variable: string, tests: readonly string[]): Step => ({
  name,
  call: `GET /v1/skus/{{${variable}}}`,
  tests: [status(200), ...tests],
});

export const STORIES: readonly Story[] = [
  {
    name: 'Set-up',
    about: 'A catalogue of its own, with new names on every run, so that the collection can be run again and again.',
    steps: [
      {
        name: 'The service is ready',
        call: 'GET /health/ready',
        as: 'nobody',
        tests: [
          status(200),
          `const run = Date.now().toString(36) + Math.random().toString(36).slice(2, 6);`,
          `pm.collectionVariables.set('group', 'postman:' + run);`,
          `for (const name of ['mug', 'rare', 'seat']) pm.collectionVariables.set(name, 'postman:' + run + ':' + name);`,
        ],
      },
      sku('Mug', 'mug', 1250, 100),
      sku('The last one', 'rare', 9900, 1),
      sku('Seat A1', 'seat', 1100, 1),
    ],
  },
  {
    name: 'Browse and quote',
    about: 'What there is, what it costs, and whether it could be had. Nothing here has an effect.',
    steps: [
      {
        name: 'List the group',
        call: 'GET /v1/skus?group={{group}}&available=true',
        tests: [
          status(200),
          `pm.test('three SKUs', () => pm.expect(pm.response.json().items).to.have.lengthOf(3));`,
          has('nextCursor', null),
        ],
      },
      stock('Read one', 'mug', [has('available', 100), header('ETag', '"\\d+"')]),
      {
        name: 'Price a basket',
        call: 'POST /v1/checkouts/quote',
        body: { currency: 'EUR', lines: [...mugs(2), { sku: '{{seat}}', quantity: 1 }] },
        tests: [status(200), has('total', 3600), has('available', true)],
      },
      {
        name: 'Price more than there is',
        call: 'POST /v1/checkouts/quote',
        body: { currency: 'EUR', lines: [{ sku: '{{seat}}', quantity: 2 }] },
        tests: [status(200), has('available', false)],
      },
      {
        name: 'Price what does not exist',
        call: 'POST /v1/checkouts/quote',
        body: { currency: 'EUR', lines: [{ sku: 'postman:unicorn', quantity: 1 }] },
        tests: problem(404, 'SKU_NOT_FOUND'),
      },
    ],
  },
  {
    name: 'Buy',
    about: 'Reserve, charge and confirm in one call. The answer carries the token that opens the order.',
    steps: [
      {
        name: 'Check out',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(2, { expectedTotal: 2500, metadata: { campaign: 'autumn' } }),
        tests: [
          status(201),
          has('state', 'CONFIRMED'),
          has('total', 2500),
          has('payment.state', 'CAPTURED'),
          has('reservation.state', 'COMMITTED'),
          header('Location', '/v1/orders/'),
          save('orderId', 'id'),
          save('orderToken', 'accessToken'),
          save('sagaId', 'sagaId'),
        ],
      },
      {
        name: 'Read the order',
        call: 'GET /v1/orders/{{orderId}}',
        token: 'orderToken',
        tests: [status(200), equals('id', 'orderId'), has('metadata.campaign', 'autumn')],
      },
      {
        name: 'Read it without its token',
        call: 'GET /v1/orders/{{orderId}}',
        tests: problem(404, 'ORDER_NOT_FOUND'),
      },
      {
        name: 'See what happened',
        call: 'GET /v1/orders/{{orderId}}/timeline',
        token: 'orderToken',
        tests: [
          status(200),
          `const kinds = pm.response.json().items.map((item) => item.kind);`,
          `pm.test('created, captured, confirmed', () => pm.expect(kinds).to.include.members(['order.created', 'payment.captured', 'order.confirmed']));`,
        ],
      },
      stock('The stock is taken', 'mug', [has('onHand', 98), has('reserved', 0)]),
      {
        name: 'Check out at an old price',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(1, { expectedTotal: 1000 }),
        tests: [...problem(409, 'PRICE_CHANGED'), has('quote.total', 1250)],
      },
    ],
  },
  {
    name: 'Declined card',
    about: 'The order is kept as REJECTED, with the reason; the stock is free again.',
    steps: [
      {
        name: 'Check out with a card that declines',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(3, { payment: { method: 'pm_card_chargeDeclinedInsufficientFunds' } }),
        tests: [
          ...problem(402, 'PAYMENT_DECLINED'),
          has('declineCode', 'insufficient_funds'),
          save('declinedOrderId', 'orderId'),
          save('declinedToken', 'accessToken'),
        ],
      },
      {
        name: 'Read the rejected order',
        call: 'GET /v1/orders/{{declinedOrderId}}',
        token: 'declinedToken',
        tests: [
          status(200),
          has('state', 'REJECTED'),
          has('rejection.code', 'PAYMENT_DECLINED'),
          has('rejection.declineCode', 'insufficient_funds'),
          has('payment.state', 'DECLINED'),
        ],
      },
      stock('Nothing is reserved', 'mug', [has('onHand', 98), has('reserved', 0)]),
    ],
  },
  {
    name: 'Sold out',
    about: 'One unit, two buyers: the second is told what is missing, and nobody charges their card.',
    steps: [
      {
        name: 'Buy the last one',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(1, { lines: [{ sku: '{{rare}}', quantity: 1 }] }),
        tests: [status(201), has('state', 'CONFIRMED')],
      },
      {
        name: 'Buy it too',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(1, { lines: [{ sku: '{{rare}}', quantity: 1 }] }),
        tests: [...problem(409, 'OUT_OF_STOCK'), has('shortages[0].available', 0), save('soldOutOrderId', 'orderId')],
      },
      {
        name: 'The provider was not asked',
        call: 'GET /v1/sandbox/charges?orderId={{soldOutOrderId}}',
        as: 'admin',
        tests: [status(200), has('items', [])],
      },
    ],
  },
  {
    name: 'Hold, extend, confirm',
    about: 'Two phases: keep the stock while the customer types, then buy what is held.',
    steps: [
      {
        name: 'Hold two mugs',
        call: 'POST /v1/reservations',
        key: true,
        body: { currency: 'EUR', lines: mugs(2) },
        tests: [
          status(201),
          has('state', 'HELD'),
          has('total', 2500),
          header('Location', '/v1/reservations/'),
          save('holdId', 'id'),
          save('holdToken', 'accessToken'),
        ],
      },
      {
        name: 'Extend it',
        call: 'POST /v1/reservations/{{holdId}}/extend',
        token: 'holdToken',
        body: { seconds: 120 },
        tests: [status(200), has('state', 'HELD')],
      },
      {
        name: 'Extend it too far',
        call: 'POST /v1/reservations/{{holdId}}/extend',
        token: 'holdToken',
        body: { seconds: 86400 },
        tests: problem(409, 'EXTENSION_LIMIT'),
      },
      {
        name: 'Read it',
        call: 'GET /v1/reservations/{{holdId}}',
        token: 'holdToken',
        tests: [status(200), has('state', 'HELD')],
      },
      stock('The stock is reserved', 'mug', [has('onHand', 98), has('reserved', 2)]),
      {
        name: 'Confirm: buy what is held',
        call: 'POST /v1/checkouts',
        key: true,
        token: 'holdToken',
        body: { customer: { email: 'ada@example.com' }, currency: 'EUR', reservationId: '{{holdId}}', payment: visa },
        tests: [status(201), has('state', 'CONFIRMED'), has('total', 2500), equals('reservation.id', 'holdId')],
      },
      {
        name: 'It cannot be released any more',
        call: 'DELETE /v1/reservations/{{holdId}}',
        token: 'holdToken',
        tests: problem(409, 'INVALID_STATE'),
      },
      {
        name: 'Hold the first alternative that is free',
        call: 'POST /v1/reservations',
        key: true,
        body: {
          currency: 'EUR',
          alternatives: [[{ sku: '{{rare}}', quantity: 1 }], [{ sku: '{{seat}}', quantity: 1 }]],
        },
        tests: [status(201), has('alternative', 1), save('seatHoldId', 'id'), save('seatHoldToken', 'accessToken')],
      },
      {
        name: 'Release it',
        call: 'DELETE /v1/reservations/{{seatHoldId}}',
        token: 'seatHoldToken',
        tests: [status(200), has('state', 'RELEASED')],
      },
    ],
  },
  {
    name: 'Hold expires',
    about:
      'Whoever does not come back loses the hold. It waits for that, so start the service with RESERVATION_TTL_SECONDS=3; where a hold would last for more than a minute the rest of the story is left out.',
    steps: [
      {
        name: 'Hold the seat',
        call: 'POST /v1/reservations',
        key: true,
        body: { currency: 'EUR', lines: [{ sku: '{{seat}}', quantity: 1 }] },
        tests: [
          status(201),
          save('expiringId', 'id'),
          save('expiringToken', 'accessToken'),
          `const seconds = (Date.parse(pm.response.json().expiresAt) - Date.now()) / 1000;`,
          `if (seconds > 60) pm.execution.setNextRequest('A first try');`,
        ],
      },
      {
        name: 'Wait until it has expired',
        call: 'GET /v1/reservations/{{expiringId}}',
        token: 'expiringToken',
        tests: until('state', 'EXPIRED', 70),
      },
      {
        name: 'Buy what was held',
        call: 'POST /v1/checkouts',
        key: true,
        token: 'expiringToken',
        body: { currency: 'EUR', reservationId: '{{expiringId}}', payment: visa },
        tests: problem(410, 'RESERVATION_EXPIRED'),
      },
      {
        name: 'Wait until the seat is free',
        call: 'GET /v1/skus/{{seat}}',
        tests: until('reserved', 0),
      },
    ],
  },
  {
    name: 'Retry with the same key',
    about: 'The answer was lost? Send the same again: it acts once, and is answered alike.',
    steps: [
      {
        name: 'A first try',
        call: 'POST /v1/checkouts',
        key: 'retry-{{group}}',
        body: basket(1),
        tests: [
          status(201),
          `pm.test('not a replay', () => pm.expect(pm.response.headers.has('Idempotent-Replayed')).to.be.false);`,
          save('firstOrderId', 'id'),
          save('firstToken', 'accessToken'),
        ],
      },
      {
        name: 'The same again',
        call: 'POST /v1/checkouts',
        key: 'retry-{{group}}',
        body: basket(1),
        tests: [
          status(201),
          header('Idempotent-Replayed', '^true$'),
          equals('id', 'firstOrderId'),
          equals('accessToken', 'firstToken'),
        ],
      },
      {
        name: 'The provider charged once',
        call: 'GET /v1/sandbox/charges?orderId={{firstOrderId}}',
        as: 'admin',
        tests: [
          status(200),
          `pm.test('one charge', () => pm.expect(pm.response.json().items).to.have.lengthOf(1));`,
          has('items[0].amount', 1250),
        ],
      },
      {
        name: 'The same key for something else',
        call: 'POST /v1/checkouts',
        key: 'retry-{{group}}',
        body: basket(2),
        tests: problem(422, 'IDEMPOTENCY_KEY_REUSED'),
      },
      { name: 'No key', call: 'POST /v1/checkouts', body: basket(1), tests: problem(400, 'IDEMPOTENCY_KEY_MISSING') },
    ],
  },
  {
    name: 'Customer authenticates',
    about: 'A card that asks its holder first (3-D Secure): the order waits, and goes on when the provider calls back.',
    steps: [
      {
        name: 'Check out with a card that asks',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(1, { payment: { method: 'pm_card_authenticationRequired' } }),
        tests: [
          status(202),
          has('state', 'PENDING'),
          has('payment.state', 'REQUIRES_ACTION'),
          has('nextAction.type', 'redirect_to_url'),
          header('Retry-After', '^\\d+$'),
          save('askedOrderId', 'id'),
          save('askedToken', 'accessToken'),
        ],
      },
      {
        name: 'Wait for the confirmation',
        call: 'GET /v1/orders/{{askedOrderId}}',
        token: 'askedToken',
        about: 'The sandbox’s customer approves by themselves after a moment; a person may do so at nextAction.url.',
        tests: until('state', 'CONFIRMED'),
      },
    ],
  },
  {
    name: 'Refund',
    about: 'In part, and then the rest; never more than was captured.',
    steps: [
      buyOne('refunded', 2),
      {
        name: 'Refund a part',
        call: 'POST /v1/orders/{{refundedOrderId}}/refunds',
        as: 'admin',
        key: true,
        body: { amount: 500, reason: 'arrived with a scratch' },
        tests: [status(201), has('state', 'SETTLED'), has('amount', 500)],
      },
      {
        name: 'Refund too much',
        call: 'POST /v1/orders/{{refundedOrderId}}/refunds',
        as: 'admin',
        key: true,
        body: { amount: 2001, reason: 'too much' },
        tests: problem(409, 'REFUND_EXCEEDS_CAPTURED'),
      },
      {
        name: 'Refund the rest',
        call: 'POST /v1/orders/{{refundedOrderId}}/refunds',
        as: 'admin',
        key: true,
        body: { reason: 'sent back' },
        tests: [status(201), has('amount', 2000)],
      },
      {
        name: 'The order is paid back',
        call: 'GET /v1/orders/{{refundedOrderId}}',
        token: 'refundedToken',
        tests: [status(200), has('payment.state', 'REFUNDED'), has('payment.refundedAmount', 2500)],
      },
    ],
  },
  {
    name: 'Cancel',
    about: 'Refunded, restocked, CANCELLED.',
    steps: [
      buyOne('cancelled'),
      {
        name: 'Cancel the order',
        call: 'POST /v1/orders/{{cancelledOrderId}}/cancel',
        as: 'admin',
        key: true,
        tests: [status(200), has('state', 'CANCELLED'), has('payment.state', 'REFUNDED')],
      },
      {
        name: 'Cancel it again',
        call: 'POST /v1/orders/{{cancelledOrderId}}/cancel',
        as: 'admin',
        key: true,
        tests: problem(409, 'INVALID_STATE'),
      },
      {
        name: 'Adjust the stock',
        call: 'POST /v1/skus/{{mug}}/adjustments',
        as: 'admin',
        key: true,
        body: { delta: 10, reason: 'a delivery' },
        tests: [status(201), has('delta', 10)],
      },
    ],
  },
  {
    name: 'Events',
    about: 'Follow an order live, or have signed webhooks delivered (Standard Webhooks).',
    steps: [
      {
        name: 'Follow an order that has ended',
        call: 'GET /v1/orders/{{cancelledOrderId}}/events',
        token: 'cancelledToken',
        about: 'Server-sent events: the state now, then what happens. The stream ends with the order.',
        tests: [
          status(200),
          header('Content-Type', 'text/event-stream'),
          `pm.test('tells the state', () => pm.expect(pm.response.text()).to.include('CANCELLED'));`,
        ],
      },
      {
        name: 'Register an endpoint',
        call: 'POST /v1/webhook-endpoints',
        as: 'admin',
        body: { url: 'https://shop.example.com/hooks', events: ['saga.stuck'], description: 'Postman' },
        tests: [
          status(201),
          has('state', 'ENABLED'),
          `pm.test('shows its secret once', () => pm.expect(pm.response.json().secret).to.match(/^whsec_/));`,
          save('endpointId', 'id'),
        ],
      },
      {
        name: 'Register one inside our network',
        call: 'POST /v1/webhook-endpoints',
        as: 'admin',
        body: { url: 'http://169.254.169.254/latest/meta-data' },
        tests: [...problem(400, 'VALIDATION_FAILED'), has('errors[0].path', 'url')],
      },
      {
        name: 'Rotate its secret',
        call: 'POST /v1/webhook-endpoints/{{endpointId}}/rotate-secret',
        as: 'admin',
        tests: [status(200), equals('id', 'endpointId')],
      },
      {
        name: 'See its deliveries',
        call: 'GET /v1/webhook-endpoints/{{endpointId}}/deliveries',
        as: 'admin',
        tests: [status(200), `pm.test('a list', () => pm.expect(pm.response.json().items).to.be.an('array'));`],
      },
      {
        name: 'Disable it',
        call: 'POST /v1/webhook-endpoints/{{endpointId}}/disable',
        as: 'admin',
        tests: [status(200), has('state', 'DISABLED')],
      },
      {
        name: 'Remove it',
        call: 'DELETE /v1/webhook-endpoints/{{endpointId}}',
        as: 'admin',
        tests: [status(204)],
      },
    ],
  },
  {
    name: 'Operator',
    about: 'Where everything stands, and whether the books are right.',
    steps: [
      {
        name: 'Orders that were cancelled',
        call: 'GET /v1/orders?state=CANCELLED&limit=5',
        as: 'admin',
        tests: [status(200), equals('items[0].id', 'cancelledOrderId')],
      },
      {
        name: 'Sagas that completed',
        call: 'GET /v1/sagas?state=COMPLETED&limit=5',
        as: 'admin',
        tests: [status(200), has('items[0].state', 'COMPLETED')],
      },
      {
        name: 'One saga, step by step',
        call: 'GET /v1/sagas/{{sagaId}}',
        as: 'admin',
        tests: [
          status(200),
          has('state', 'COMPLETED'),
          `const steps = pm.response.json().log.map((entry) => entry.step);`,
          `pm.test('four steps', () => pm.expect(steps).to.include.members(['create-order', 'reserve-inventory', 'process-payment', 'confirm-order']));`,
        ],
      },
      {
        name: 'Retry a saga that is not stuck',
        call: 'POST /v1/sagas/{{sagaId}}/retry',
        as: 'admin',
        body: { reason: 'to see it refused' },
        tests: problem(409, 'INVALID_STATE'),
      },
      {
        name: 'Locks that are held now',
        call: 'GET /v1/locks',
        as: 'admin',
        tests: [status(200), `pm.test('a list', () => pm.expect(pm.response.json().items).to.be.an('array'));`],
      },
      {
        name: 'Invariants',
        call: 'GET /v1/invariants',
        as: 'admin',
        tests: [
          status(200),
          `pm.test('every invariant holds', () => pm.expect(pm.response.json().checks.filter((check) => !check.ok)).to.eql([]));`,
        ],
      },
      {
        name: 'Callbacks of the provider',
        call: 'GET /v1/webhook-events?limit=5',
        as: 'admin',
        tests: [status(200), has('items[0].provider', 'sandbox')],
      },
      {
        name: 'Metrics',
        call: 'GET /metrics',
        as: 'admin',
        tests: [
          status(200),
          `pm.test('counts checkouts', () => pm.expect(pm.response.text()).to.match(/checkouts_total\\{outcome="confirmed"\\} [1-9]/));`,
        ],
      },
      { name: 'Not with the storefront’s key', call: 'GET /v1/sagas', tests: problem(403, 'FORBIDDEN') },
      { name: 'Not without a key', call: 'GET /v1/skus', as: 'nobody', tests: problem(401, 'UNAUTHENTICATED') },
    ],
  },
  {
    name: 'Change a hold, pay again',
    about: 'A hold is changed all or nothing. A declined card leaves it as it is, and another card buys it.',
    steps: [
      {
        name: 'Create two chairs',
        call: 'PUT /v1/skus/{{mug}}-chair',
        as: 'admin',
        body: { name: 'Chair', unitAmount: 4000, currency: 'EUR', onHand: 2 },
        tests: [status(201)],
      },
      {
        name: 'Hold a chair',
        call: 'POST /v1/reservations',
        key: true,
        body: { currency: 'EUR', lines: chairs(1) },
        tests: [status(201), save('chairHoldId', 'id'), save('chairToken', 'accessToken')],
      },
      {
        name: 'Keep it for a while',
        call: 'POST /v1/reservations/{{chairHoldId}}/extend',
        token: 'chairToken',
        body: { seconds: 120 },
        tests: [status(200), save('chairEnd', 'expiresAt')],
      },
      {
        name: 'Make it two',
        call: 'PUT /v1/reservations/{{chairHoldId}}/lines',
        token: 'chairToken',
        body: { lines: chairs(2) },
        tests: [status(200), has('total', 8000), equals('expiresAt', 'chairEnd')],
      },
      {
        name: 'Make it three',
        call: 'PUT /v1/reservations/{{chairHoldId}}/lines',
        token: 'chairToken',
        body: { lines: chairs(3) },
        tests: [...problem(409, 'OUT_OF_STOCK'), has('shortages[0].available', 2)],
      },
      {
        name: 'Buy them with a card that declines',
        call: 'POST /v1/checkouts',
        key: true,
        token: 'chairToken',
        body: { currency: 'EUR', reservationId: '{{chairHoldId}}', payment: { method: 'pm_card_chargeDeclined' } },
        tests: [...problem(402, 'PAYMENT_DECLINED'), equals('reservation.id', 'chairHoldId'), has('reservation.state', 'HELD')],
      },
      {
        name: 'Pay with another card',
        call: 'POST /v1/checkouts',
        key: true,
        token: 'chairToken',
        body: { currency: 'EUR', reservationId: '{{chairHoldId}}', payment: visa },
        tests: [status(201), has('state', 'CONFIRMED'), has('total', 8000)],
      },
    ],
  },
  {
    name: 'Give up an authentication',
    about: 'An order that waits for its customer can be cancelled by them. The sandbox’s customer approves after a moment, and may be quicker.',
    steps: [
      {
        name: 'Check out with a card that asks its holder',
        call: 'POST /v1/checkouts',
        key: true,
        body: basket(1, { payment: { method: 'pm_card_authenticationRequired' } }),
        tests: [status(202), has('state', 'PENDING'), save('abandonedId', 'id'), save('abandonedToken', 'accessToken')],
      },
      {
        name: 'Cancel it',
        call: 'POST /v1/orders/{{abandonedId}}/cancel',
        key: true,
        token: 'abandonedToken',
        tests: [
          `const { code, state, rejection } = { ...pm.response.json() };`,
          `const wasQuicker = pm.response.code === 409 && code === 'INVALID_STATE';`,
          `pm.test('REJECTED as cancelled, or approved before', () => pm.expect(wasQuicker || (state === 'REJECTED' && rejection.code === 'CANCELLED')).to.be.true);`,
        ],
      },
    ],
  },
];
