import { z } from 'zod';
import { containsCardNumber, isCardNumber } from '../common/card-number.js';
import { ONE_LINE, STORABLE } from '../common/text.js';
import { linesSchema } from '../inventory/line.dto.js';
import { currencySchema } from '../platform/http/fields.js';
import { couponsSchema } from '../promotion/coupon.dto.js';
import { ONE_OF } from '../platform/http/openapi/schema-converter.js';

const MAX_METADATA_BYTES = 4_096;
const UNFIT = 'must not contain control characters';
const text = (max: number) => z.string().min(1).max(max).regex(ONE_LINE, UNFIT);

/** A card number that is stored makes its database, its backups and its logs subject to PCI DSS. */
const NO_CARD_NUMBER = 'must not contain a card number';
const hasNoCardNumber = (value: string | number) => !containsCardNumber(String(value));

const metadataSchema = z
  .record(
    text(64).refine(hasNoCardNumber, NO_CARD_NUMBER),
    z.union([
      z.string().max(1_000).regex(STORABLE, UNFIT).refine(hasNoCardNumber, NO_CARD_NUMBER),
      z.number().refine(hasNoCardNumber, NO_CARD_NUMBER),
      z.boolean(),
      z.null(),
    ]),
  )
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES,
    `at most ${MAX_METADATA_BYTES} bytes`,
  );

const customerSchema = z.strictObject({
  id: text(200)
    .meta({
      description:
        'Where customers have JWTs, a storefront key may name the JWT’s subject only; the JWT’s subject if absent',
    })
    .optional(),
  email: z.email().max(320).optional(),
});

const MAX_ACCOUNTS = 5;

const creditSourceSchema = z
  .union([
    z.strictObject({
      accountId: text(200).meta({
        description: 'With the JWT of its customer, or by an admin',
        examples: ['credit-ada'],
      }),
    }),
    z.strictObject({
      giftCardCode: text(100).meta({ description: 'Of a gift card', examples: ['7KQ2M-9XH4T-PV3C8-ZN6WD'] }),
    }),
  ])
  .meta({ id: 'CreditSource' });

export const checkoutSchema = z
  .strictObject({
    customer: customerSchema.default({}),
    currency: currencySchema,
    lines: linesSchema.optional(),
    reservationId: z
      .uuid()
      .meta({ description: 'In place of lines: buys what is held. Send its access token in X-Access-Token.' })
      .optional(),
    coupons: couponsSchema
      .optional()
      .meta({ description: 'With a reservation: in place of those that it was made with' }),
    payment: z.strictObject({
      method: text(200)
        .refine(
          (method) => !isCardNumber(method) && !containsCardNumber(method),
          'must be the provider’s token, never a card number',
        )
        .meta({
          description:
            'The provider’s token for the card, never a card number. It may be left out where nothing is left for a card to pay.',
          examples: ['pm_card_visa'],
        })
        .optional(),
      capture: z
        .enum(['automatic', 'manual'])
        .meta({
          description:
            '`manual` only blocks the amount on the card: the order is CONFIRMED, its payment AUTHORIZED, and `POST /v1/orders/{id}/capture` takes it, or a part of it, within `AUTHORIZATION_DAYS`. Where nothing is left for a card to pay there is nothing to capture.',
        })
        .optional(),
      credit: z
        .array(creditSourceSchema)
        .min(1)
        .max(MAX_ACCOUNTS)
        .meta({ description: 'Pays first, each as far as it goes; the card pays the rest' })
        .optional(),
    }),
    holdOnDecline: z
      .boolean()
      .meta({ description: 'With lines: if the payment fails, what was held stays held for another card' })
      .optional(),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({
        description:
          'Where the customer’s browser goes after an authentication (3-D Secure): a page of an origin that the service knows',
        examples: ['https://shop.example/checkout/return'],
      })
      .optional(),
    expectedTotal: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'What the customer was shown: another total is refused with PRICE_CHANGED' })
      .optional(),
    metadata: metadataSchema.default({}).meta({ description: 'Yours; kept with the order, at most 4,096 bytes' }),
  })
  .refine((body) => (body.lines === undefined) !== (body.reservationId === undefined), {
    path: ['lines'],
    message: 'send either lines or a reservationId',
  })
  .meta({
    id: 'CheckoutRequest',
    [ONE_OF]: ['lines', 'reservationId'],
    examples: [
      {
        customer: { email: 'ada@example.com' },
        currency: 'EUR',
        lines: [{ sku: 'demo-mug', quantity: 1 }],
        payment: { method: 'pm_card_visa' },
      },
    ],
  });
export type CheckoutBody = z.infer<typeof checkoutSchema>;
