import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../setup/api-client.js';
import type { AppProcess } from '../setup/app-process.js';
import { newCoupon, newGiftCard } from '../setup/balances.js';
import { eventually } from '../setup/eventually.js';
import { outcomeOf, refuseConfirmations } from '../setup/shop.js';
import type { TestDatabase } from '../setup/test-database.js';

/** What a customer wants and what must come of it, whatever crashes on the way. */
interface Scenario {
  readonly name: string;
  readonly sku: 'plenty' | 'none';
  readonly method: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Pays a part with the gift card, and takes a part off with the coupon. */
  readonly isMixed?: boolean;
  /** The card is only authorised. */
  readonly isManual?: boolean;
  readonly ends: 'CONFIRMED' | 'REJECTED';
  /** Comes when the others' first batch is committed: there is a second one. */
  readonly isLate?: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'success', sku: 'plenty', method: 'pm_card_visa', ends: 'CONFIRMED' },
  { name: 'success', sku: 'plenty', method: 'pm_card_visa', ends: 'CONFIRMED' },
  { name: 'declined', sku: 'plenty', method: 'pm_card_chargeDeclined', ends: 'REJECTED' },
  { name: 'out-of-stock', sku: 'none', method: 'pm_card_visa', ends: 'REJECTED' },
  { name: 'in-doubt', sku: 'plenty', method: 'pm_sandbox_timeout_after_charge', ends: 'CONFIRMED' },
  { name: 'credit', sku: 'plenty', method: 'pm_card_visa', isMixed: true, ends: 'CONFIRMED' },
  { name: 'credit-declined', sku: 'plenty', method: 'pm_card_chargeDeclined', isMixed: true, ends: 'REJECTED' },
  { name: 'manual', sku: 'plenty', method: 'pm_card_visa', isManual: true, ends: 'CONFIRMED' },
  // Charged, and then the database refuses the confirmation: the way back with a refund.
  { name: 'refund', sku: 'plenty', method: 'pm_card_visa', metadata: { refuse: true }, ends: 'REJECTED', isLate: true },
  {
    ...{ name: 'credit-refund', sku: 'plenty', method: 'pm_card_visa', isMixed: true },
    ...{ metadata: { refuse: true }, ends: 'REJECTED', isLate: true },
  },
  {
    ...{ name: 'manual-void', sku: 'plenty', method: 'pm_card_visa', isManual: true },
    ...{ metadata: { refuse: true }, ends: 'REJECTED', isLate: true },
  },
];

export const CROWD_SIZE = SCENARIOS.length;
const BEGUN_WITHIN_MS = 180_000;

export interface Buyer {
  readonly scenario: Scenario;
  readonly key: string;
  readonly body: unknown;
  /** The first answer, if there was one before the crash. */
  readonly first: Promise<ApiResponse | undefined>;
}

/** Rules of this test's database that make a checkout fail at places which no request can reach. */
export async function plantFailures(database: TestDatabase): Promise<void> {
  await refuseConfirmations(database);
  // A sequence does not roll back: every second attempt to begin a compensation fails.
  await database.query(`CREATE SEQUENCE test_attempts`);
  await database.query(`
    CREATE FUNCTION test_fail_undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF OLD.phase = 'undo' AND NEW.phase = 'undo-call' AND nextval('test_attempts') % 2 = 1 THEN RAISE 'not this time'; END IF;
      RETURN NEW;
    END $$`);
  await database.query(
    `CREATE TRIGGER test_fail_undo BEFORE UPDATE ON sagas FOR EACH ROW EXECUTE FUNCTION test_fail_undo()`,
  );
}

/** What the mixed scenarios pay with, beside their cards. */
export interface Purse {
  /** One each: they pay a part, and the card the rest. */
  readonly giftCardCodes: readonly string[];
  readonly coupon: string;
}

export async function fillPurse(api: ApiClient): Promise<Purse> {
  const cards = SCENARIOS.map(() => newGiftCard(api, 250));
  const coupon = await newCoupon(api, { percentOff: 40, maxRedemptions: CROWD_SIZE });
  return { giftCardCodes: (await Promise.all(cards)).map(({ code }) => code), coupon };
}

/** Who comes late comes when an order of the others is stored, or never will be, because the process is dead. */
export function sendCrowd(
  { api, exited }: AppProcess,
  prefix: string,
  database: TestDatabase,
  { giftCardCodes, coupon }: Purse,
): Buyer[] {
  const keys = SCENARIOS.map(() => randomUUID());
  let isDead = false;
  void exited().then(() => (isDead = true));
  const hasBegun = async () => {
    const orders = await database.query(`SELECT 1 FROM orders WHERE metadata->>'tag' = ANY ($1)`, [keys]);
    return orders.length > 0 || isDead;
  };
  const late = () => eventually('the first batch', hasBegun, { everyMs: 5, withinMs: BEGUN_WITHIN_MS });
  return SCENARIOS.map((scenario, number) => {
    const key = keys[number]!;
    const credit = [{ giftCardCode: giftCardCodes[number]! }];
    const body = {
      currency: 'EUR',
      lines: [{ sku: `${prefix}-${scenario.sku}`, quantity: 1 }],
      payment: {
        method: scenario.method,
        ...(scenario.isMixed && { credit }),
        ...(scenario.isManual && { capture: 'manual' }),
      },
      ...(scenario.isMixed && { coupons: [coupon] }),
      metadata: { tag: key, ...scenario.metadata },
    };
    const first = scenario.isLate ? late().then(() => post(api, key, body)) : post(api, key, body);
    return { scenario, key, body, first };
  });
}

export function lastWord(api: ApiClient, { scenario, key, body }: Buyer): Promise<ApiResponse> {
  return outcomeOf(scenario.name, () => post(api, key, body), key);
}

async function post(api: ApiClient, key: string, body: unknown): Promise<ApiResponse | undefined> {
  try {
    return await api.post('/v1/checkouts', body, { idempotencyKey: key });
  } catch {
    return undefined; // the connection broke: nobody knows
  }
}

/** Where the buyers' sagas stood in the database, for the table that the test prints. */
export async function standing(database: TestDatabase, buyers: readonly Buyer[]): Promise<string> {
  const rows = await database.query<{ tag: string; phase: string; state: string; position: number }>(
    `SELECT data->'metadata'->>'tag' AS tag, phase, state, position FROM sagas WHERE data->'metadata'->>'tag' = ANY($1)`,
    [buyers.map(({ key }) => key)],
  );
  const place = new Map(rows.map((row) => [row.tag, row.phase === 'end' ? row.state.toLowerCase() : row.phase]));
  return buyers.map(({ scenario, key }) => `${scenario.name}=${place.get(key) ?? 'nothing'}`).join(' ');
}

interface Outcome {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  /** Of the gift card. */
  readonly spent: number;
  /** Captured, or authorised for as long as nobody voids it. */
  readonly charges: number;
  readonly net: number;
}

/** Exactly one order per key, ended as it must, charged once or net zero, and the client was told the same. */
export async function faultsOf(database: TestDatabase, buyer: Buyer, answer: ApiResponse): Promise<readonly string[]> {
  const { scenario, key } = buyer;
  const orders = await database.query<Outcome>(
    `SELECT orders.id, orders.state, total::int AS total,
       (SELECT coalesce(sum(-amount), 0)::int FROM account_entries WHERE order_id = orders.id) AS spent,
       count(charges.id)::int AS charges, coalesce(sum(charges.amount - charges.refunded_amount), 0)::int AS net
     FROM orders LEFT JOIN sandbox.charges ON charges.order_id = orders.id::text AND charges.state IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED')
     WHERE metadata->>'tag' = $1 GROUP BY orders.id`,
    [key],
  );
  const [order] = orders;
  if (orders.length !== 1 || !order) return [`${scenario.name}: ${orders.length} orders for one key`];
  const told = answer.status === 201 ? answer.body.id : answer.body.orderId;
  const faults: string[] = [];
  const check = (isFine: boolean, fault: string) => isFine || faults.push(`${scenario.name} ${order.id}: ${fault}`);
  check(order.state === scenario.ends, `ended ${order.state}, answered ${answer.status} ${answer.body.code ?? ''}`);
  check(told === order.id, `the client was told of ${told}`);
  check((answer.status === 201) === (order.state === 'CONFIRMED'), `the client was told ${answer.status}`);
  check(order.charges <= 1, `charged ${order.charges} times`);
  const isPaid = order.state === 'CONFIRMED';
  check(
    order.net + order.spent === (isPaid ? order.total : 0),
    `kept ${order.net}, and ${order.spent} of the gift card`,
  );
  check(order.spent > 0 === (isPaid && scenario.isMixed === true), `the gift card paid ${order.spent}`);
  const first = await buyer.first;
  if (first && first.status !== 202 && first.body.code !== 'IDEMPOTENCY_IN_PROGRESS')
    check(first.status === answer.status, `first told ${first.status}, then ${answer.status}`);
  return faults;
}
