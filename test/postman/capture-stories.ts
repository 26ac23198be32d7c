import { has, problem, save, status, Step, Story } from './story.js';

const AUTHORIZED = 2_500;

const authorize = (variable: string): Step => ({
  name: 'Buy two mugs, and only authorise the card',
  call: 'POST /v1/checkouts',
  key: true,
  body: {
    currency: 'EUR',
    lines: [{ sku: '{{mug}}', quantity: 2 }],
    payment: { method: 'pm_card_visa', capture: 'manual' },
  },
  tests: [
    status(201),
    has('state', 'CONFIRMED'),
    has('payment.state', 'AUTHORIZED'),
    has('payment.amount', AUTHORIZED),
    has('payment.capturedAmount', 0),
    save(variable, 'id'),
  ],
});

const act = (name: string, call: string, body: object, tests: readonly string[], about?: string): Step => ({
  ...{ name, call: `POST /v1/orders/${call}`, as: 'admin', key: true, body, tests },
  ...(about !== undefined && { about }),
});

const atProvider = (name: string, order: string, expected: Readonly<Record<string, unknown>>): Step => ({
  name,
  call: `GET /v1/sandbox/charges?orderId={{${order}}}`,
  as: 'admin',
  tests: [status(200), ...Object.entries(expected).map(([member, value]) => has(`items[0].${member}`, value))],
});

/** Payments that are authorised with the order and captured when the goods go out. */
export const CAPTURE_STORIES: readonly Story[] = [
  {
    name: 'Authorise, capture, refund',
    about: 'The card is authorised with the order and captured when the goods go out: once, in full or in part.',
    steps: [
      authorize('captureOrderId'),
      act('Refund before anything is captured', '{{captureOrderId}}/refunds', { reason: 'too early' }, [
        ...problem(409, 'INVALID_STATE'),
      ]),
      act('Capture more than is authorised', '{{captureOrderId}}/capture', { amount: AUTHORIZED + 1 }, [
        ...problem(409, 'CAPTURE_EXCEEDS_AUTHORIZED'),
        has('authorized', AUTHORIZED),
      ]),
      act(
        'Capture one of the two mugs',
        '{{captureOrderId}}/capture',
        { amount: 1_250, reason: 'one was broken' },
        [status(200), has('payment.state', 'CAPTURED'), has('payment.capturedAmount', 1_250)],
        'What is not captured is released on the customer’s card.',
      ),
      act('Capture the rest', '{{captureOrderId}}/capture', {}, [
        ...problem(409, 'INVALID_STATE'),
        has('state', 'CAPTURED'),
      ]),
      act('Refund more than was captured', '{{captureOrderId}}/refunds', { amount: 1_251, reason: 'too much' }, [
        ...problem(409, 'REFUND_EXCEEDS_CAPTURED'),
      ]),
      act('Refund what was captured', '{{captureOrderId}}/refunds', { reason: 'sent back' }, [
        status(201),
        has('state', 'SETTLED'),
        has('amount', 1_250),
      ]),
      atProvider('The provider says the same', 'captureOrderId', {
        ...{ state: 'REFUNDED', amount: AUTHORIZED, capturedAmount: 1_250, refundedAmount: 1_250 },
      }),
    ],
  },
  {
    name: 'Authorise, cancel',
    about: 'An order that is cancelled before its payment is captured costs the customer nothing: it is voided.',
    steps: [
      authorize('voidOrderId'),
      act('Cancel the order', '{{voidOrderId}}/cancel', { reason: 'the customer changed their mind' }, [
        status(200),
        has('state', 'CANCELLED'),
        has('payment.state', 'VOIDED'),
        has('payment.capturedAmount', 0),
      ]),
      act('Capture it all the same', '{{voidOrderId}}/capture', {}, [
        ...problem(409, 'INVALID_STATE'),
        has('state', 'VOIDED'),
      ]),
      atProvider('The provider has voided it', 'voidOrderId', {
        ...{ state: 'VOIDED', capturedAmount: 0, refundedAmount: 0 },
      }),
    ],
  },
];
