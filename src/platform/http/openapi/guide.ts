/** What every call has in common; the first thing a reader of /docs sees. */
export const GUIDE = `A checkout that never oversells, never charges twice and never forgets an order: whatever crashes,
every checkout ends as *confirmed and paid once* or *rejected and paid back*, and anyone can see why.

**Keys.** Send a key in \`X-Api-Key\`. A storefront key quotes, reserves and checks out; it reads an order or a reservation
with the \`accessToken\` that came with it (header \`X-Access-Token\`) or with the customer's own JWT (\`Authorization: Bearer\`).
An admin key may do everything. A service that was started without configuration prints both keys.

**Retries.** Calls with an effect take an \`Idempotency-Key\`. Repeat a request whose answer was lost with the same key and the
same body: it acts once, and the first answer is replayed with \`Idempotent-Replayed: true\`, definite refusals
(402, 409, 410) included. After a 5xx repeat with the same key too: it re-attaches to the same order.

**Money** is an integer in minor units (1250 is € 12.50) beside an ISO 4217 currency. **Times** are RFC 3339 in UTC.
**Lists** take \`limit\` and \`cursor\` and answer \`{items, nextCursor}\`; the last page has \`nextCursor: null\`.

**Errors** are RFC 9457 \`application/problem+json\`. Branch on \`code\`, which is stable; \`detail\` is for people.

**Try it** with the demo catalogue (\`demo-mug\`, \`demo-shirt\`, seats such as \`cinema:show:12345:seat:A1\`) and the sandbox's
payment methods: \`pm_card_visa\` succeeds, \`pm_card_chargeDeclined\` and \`pm_card_chargeDeclinedInsufficientFunds\` decline,
\`pm_card_authenticationRequired\` asks the customer first, \`pm_sandbox_slow\` takes two seconds,
\`pm_sandbox_timeout_after_charge\` charges and never answers.`;

export const TAGS: Readonly<Record<string, string>> = {
  skus: 'The catalogue and its stock. A seat is a SKU with one unit, in a group.',
  checkouts: 'Price a basket, and buy it: reserve, charge and confirm, all or nothing.',
  coupons: 'Discounts that can be redeemed so many times, by everybody and by one customer.',
  credit: 'Store credit and gift cards: they pay before the card does.',
  reservations: 'Hold stock for a while, then check out with it, extend it or let it go.',
  sales: 'A queue in front of goods that more people want than there are',
  orders: 'What became of a checkout; refunds and cancellations.',
  webhooks: 'The payment provider’s callbacks: received once, processed later, replayable.',
  'webhook endpoints':
    'Domain events for your own systems, signed by the Standard Webhooks specification: at least once, in order per order.',
  sagas: 'For operators: where every checkout, refund and cancellation stands, and the verbs for those that are stuck.',
  operations: 'For operators and machines: health, metrics, locks, and the invariants checked on demand.',
  sandbox: 'The built-in payment provider: its own ledger, its customer’s page, and faults on demand.',
};
