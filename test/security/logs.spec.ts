import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppProcess, KEYS, startAppProcess } from '../setup/app-process.js';
import { createTestDatabase, requiredEnv, TestDatabase } from '../setup/test-database.js';
import { customerToken } from './fixture.js';

const SECRETS = {
  ...KEYS,
  JWT_SECRET: 'a-secret-for-customers-tokens',
  SANDBOX_WEBHOOK_SECRET: 'a-secret-for-sandbox-callbacks',
};
const METHODS = [
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_authenticationRequired',
  'pm_sandbox_timeout_after_charge',
  'pm_sandbox_error',
  'pm_sandbox_refund_fails',
  'pm_test_a_card_nobody_knows',
];

describe('logs', () => {
  let database: TestDatabase;
  let app: AppProcess;
  const handedOut: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startAppProcess({
      DATABASE_URL: database.url,
      REDIS_URL: requiredEnv('TEST_REDIS_URL'),
      LOG_LEVEL: 'trace',
      GATEWAY_TIMEOUT_MS: '1000',
      SAGA_LEASE_MS: '1000',
      SANDBOX_AUTHENTICATION_MS: '200',
      RATE_LIMIT: '1000',
      ...SECRETS,
    });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  const checkout = (method: string, email = 'ada.private@example.com', sku = 'mug') => ({
    customer: { email },
    currency: 'EUR',
    lines: [{ sku, quantity: 1 }],
    payment: { method },
    metadata: { note: 'a-note-of-the-customer' },
  });

  async function live(): Promise<void> {
    const token = await customerToken('ada');
    handedOut.push(token);
    const headers = { authorization: `Bearer ${token}` };
    await app.api.put('/v1/skus/mug', { name: 'Mug', unitAmount: 500, currency: 'EUR', onHand: 100 });
    const orders = await Promise.all(
      METHODS.map((method) => app.api.post('/v1/checkouts', checkout(method), { headers })),
    );
    for (const { body } of orders) if (body.accessToken) handedOut.push(body.accessToken as string);
    const [paid] = orders;
    await app.api.get(`/v1/orders/${paid!.body.id}`, {
      headers: { 'x-access-token': paid!.body.accessToken as string },
    });
    const eventsUrl = paid!.body.eventsUrl as string;
    const events = await fetch(eventsUrl);
    expect(events.status).toBe(200);
    await events.body?.cancel();
    handedOut.push(new URL(eventsUrl).searchParams.get('token')!);
    const card = await app.api.post('/v1/gift-cards', { amount: 100, currency: 'EUR' }, { key: 'admin' });
    handedOut.push(card.body.code as string, (card.body.code as string).replaceAll('-', ''));
    const credit = [{ giftCardCode: card.body.code as string }];
    await app.api.post('/v1/checkouts', { ...checkout('pm_card_visa'), payment: { method: 'pm_card_visa', credit } });
    await app.api.post(`/v1/orders/${paid!.body.id}/refunds`, { amount: 1, reason: 'dent' }, { key: 'admin' });
    await app.api.post(`/v1/orders/${paid!.body.id}/cancel`, undefined, { key: 'admin' });
    const hold = await app.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] });
    handedOut.push(hold.body.accessToken as string);
  }

  /** Mistakes and failures are when most is logged. */
  async function suffer(): Promise<void> {
    await app.api.get('/v1/skus', { key: 'none', headers: { 'x-api-key': 'a-wrong-key-that-was-nearly-right' } });
    await app.api.get('/v1/skus', { headers: { authorization: 'Bearer not.a.token-at-all' } });
    await app.api.post('/v1/checkouts', '{"payment":{"method":"pm_in_broken_json"', {});
    await app.api.post('/v1/checkouts', { ...checkout('pm_in_invalid_body'), extra: 1 });
    await app.api.post('/v1/checkouts', checkout('pm_of_unknown_sku', 'x@example.com', 'unknown'));
    await app.api.post('/v1/checkouts', checkout('4242424242424242'));
    await app.api.post('/v1/checkouts', { ...checkout('pm_card_visa'), metadata: { '4242 4242 4242 4242': 1 } });
    await app.api.post('/v1/checkouts', { ...checkout('pm_card_visa'), 4242424242424242: 1 });
    await app.api.post(
      '/v1/webhooks/sandbox',
      { secret: 'in-a-forged-webhook' },
      { headers: { 'x-signature': 'forged-signature' } },
    );
    // PostgreSQL shows the whole row when a constraint refuses it, and the value when an index does.
    await database.query(
      `ALTER TABLE orders ADD CONSTRAINT refuse_all CHECK (customer_email NOT LIKE 'refused%') NOT VALID`,
    );
    await database.query(
      `ALTER TABLE payments ADD CONSTRAINT refuse_all CHECK (method <> 'pm_refused_by_a_check') NOT VALID`,
    );
    const refused = [
      await app.api.post('/v1/checkouts', checkout('pm_card_visa', 'refused.private@example.com')),
      await app.api.post('/v1/checkouts', checkout('pm_refused_by_a_check')),
    ];
    expect(refused.map(({ status }) => status >= 400)).toEqual([true, true]);
    await database.query('ALTER TABLE payments RENAME TO payments_away');
    await app.api.post('/v1/checkouts', checkout('pm_while_a_table_is_away'), { headers: { prefer: 'wait=1' } });
    await database.query('ALTER TABLE payments_away RENAME TO payments');
  }

  it('of a full run at level trace contain no card, no key, no token and no customer', async () => {
    await live();
    await suffer();
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // jobs go on with what was left in doubt
    await app.stop();
    const output = app.output();
    expect(output.split('\n').length).toBeGreaterThan(30);
    expect(output).toMatch(/"level":"error"/);
    const patterns: [string, RegExp][] = [
      ['a payment method', /pm_[A-Za-z]\w+/],
      ['a card number', /4242.?4242/],
      ['a JWT', /eyJ[\w-]+\.[\w-]+/],
      ['an e-mail address', /[\w.]+@example\.com/],
      ['metadata', /a-note-of-the-customer/],
      ['a wrong key', /a-wrong-key|not\.a\.token|forged-signature|in-a-forged-webhook/],
      ['the database password', new RegExp(`:${new URL(database.url).password}@`)],
    ];
    const lines = output.split('\n').filter((line) => !line.startsWith('  curl -s')); // the banner's example
    const found = patterns.flatMap(([what, pattern]) =>
      lines.filter((line) => pattern.test(line)).map((line) => `${what}: ${line.slice(0, 400)}`),
    );
    const secrets = [...Object.values(SECRETS), ...handedOut];
    found.push(
      ...secrets.flatMap((secret) => lines.filter((line) => line.includes(secret)).map((line) => `secret: ${line}`)),
    );
    expect(found.slice(0, 5)).toEqual([]);
    expect(handedOut.length).toBeGreaterThanOrEqual(4);
  });
});

describe('the first start on a machine', () => {
  it('makes keys of its own, shows them, and keeps them for us alone', async () => {
    const database = await createTestDatabase();
    const directory = mkdtempSync(path.join(tmpdir(), 'checkout-keys-'));
    const env = { DATABASE_URL: database.url, DATA_DIR: directory, ADMIN_API_KEY: '', ACCESS_TOKEN_SECRET: '' };
    const first = await startAppProcess(env);
    const key = /admin key:\s+(\S+)/.exec(first.output())![1]!;
    const answer = await first.api.get('/v1/orders', { key: 'none', headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    expect(first.output()).not.toContain(KEYS.STOREFRONT_API_KEY);
    await first.stop();
    const file = path.join(directory, 'keys.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = await startAppProcess(env);
    expect(second.output()).toContain(key);
    await second.stop();
    rmSync(directory, { recursive: true });
    await database.drop();
    expect(key.length).toBeGreaterThan(32);
  });
});
