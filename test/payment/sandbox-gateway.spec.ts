import { GatewayUnknownError } from '../../src/payment/gateway/payment-gateway.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { runningMs, smallest } from '../setup/timing.js';
import { chargeRequest, describeGatewayContract, ledgerOf, lookup, soon, transactionOf } from './gateway-contract.js';
import { SandboxInstance, startSandbox } from './sandbox-harness.js';

describeGatewayContract('sandbox', async () => {
  const database = await createTestDatabase();
  const sandbox = await startSandbox(database, { url: 'http://127.0.0.1:1' });
  const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000];
  await sandbox.setFaults({ keyMemoryMs: dayMs, processingMs: weekMs, lateFailureMs: weekMs });
  return {
    ...sandbox,
    close: async () => {
      await sandbox.close();
      await database.drop();
    },
  };
});

describe('sandbox', () => {
  let database: TestDatabase;
  let sandbox: SandboxInstance;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox(database);
  });
  afterAll(async () => {
    await sandbox.close();
    await database.drop();
  });

  it('fails twice with a 500 and then succeeds, also across a restart', async () => {
    const request = chargeRequest({ method: 'pm_sandbox_error' });
    await expect(sandbox.gateway.charge(request, soon())).rejects.toThrow(GatewayUnknownError);
    expect(await lookup(sandbox.gateway, request)).toBeUndefined();
    const restarted = await startSandbox(database);
    await expect(restarted.gateway.charge(request, soon())).rejects.toThrow(GatewayUnknownError);
    expect(await restarted.gateway.charge(request, soon())).toMatchObject({ kind: 'captured' });
    expect(await ledgerOf(sandbox.gateway, request.orderId)).toHaveLength(1);
    await restarted.close();
  });

  it('forgets a key by the time at which a request arrived, however long our process was paused behind it', async () => {
    const [minuteMs, hourMs] = [60_000, 3_600_000];
    const request = chargeRequest();
    await sandbox.gateway.charge(request, soon());
    await sandbox.passTime(10 * minuteMs);
    const arrivedAt = performance.now() - hourMs;
    await sandbox.ledger.forgetKey('charge', request.idempotencyKey, minuteMs, arrivedAt);
    await sandbox.gateway.charge(request, soon());
    expect(await ledgerOf(sandbox.gateway, request.orderId)).toHaveLength(1);

    await sandbox.ledger.forgetKey('charge', request.idempotencyKey, minuteMs, performance.now());
    await sandbox.gateway.charge(request, soon());
    expect(await ledgerOf(sandbox.gateway, request.orderId)).toHaveLength(2);
  });

  it('answers after two seconds, having charged', async () => {
    const request = chargeRequest({ method: 'pm_sandbox_slow' });
    const from = Date.now();
    const answer = sandbox.gateway.charge(request, soon());
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    const charged = await eventually('the charge', () => lookup(sandbox.gateway, request));
    expect(charged).toMatchObject({ kind: 'captured' });
    expect(isAnswered).toBe(false);
    expect(await answer).toMatchObject({ kind: 'captured' });
    expect(Date.now() - from).toBeGreaterThanOrEqual(1_990);
  });

  it('lets go of a slow call as soon as the caller does', async () => {
    const measure = async () => {
      const from = runningMs();
      const call = sandbox.gateway.charge(chargeRequest({ method: 'pm_sandbox_slow' }), soon(100));
      await expect(call).rejects.toThrow(GatewayUnknownError);
      return runningMs() - from;
    };
    expect(await smallest(1_000, measure)).toBeLessThan(1_000);
  });

  it('lists what moved or may move money, and leaves out what was declined or cancelled', async () => {
    const orderId = 'order-listing';
    const charge = (method: string) =>
      sandbox.gateway.charge(chargeRequest({ orderId, idempotencyKey: `${orderId}:${method}`, method }), soon());
    await charge('pm_card_chargeDeclined');
    await charge('pm_card_visa');
    const pending = transactionOf(await charge('pm_card_authenticationRequired'));
    expect((await sandbox.ledger.findOfOrder(orderId)).map(({ state }) => state).sort()).toEqual([
      'CAPTURED',
      'PENDING',
    ]);
    const request = { orderId, idempotencyKey: 'unused', transactionId: pending };
    await sandbox.gateway.cancelCharge(request, soon());
    expect((await sandbox.ledger.findOfOrder(orderId)).map(({ state }) => state)).toEqual(['CAPTURED']);
  });

  it('shares few statements among many charges, and pages through them', async () => {
    const orderId = 'order-of-many';
    const since = new Date();
    const requests = Array.from({ length: 2_300 }, (_, i) => chargeRequest({ orderId, idempotencyKey: `many-${i}` }));
    const results = await Promise.all(requests.map((request) => sandbox.gateway.charge(request, soon())));
    const pages: string[][] = [];
    for await (const page of sandbox.gateway.listCharges(since, soon())) pages.push(page.map(({ id }) => id));
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 300]);
    expect(new Set(pages.flat())).toEqual(new Set(results.map(transactionOf)));
    const [commits] = await database.query<{ transactions: number }>(
      `SELECT count(DISTINCT xmin::text)::int AS transactions FROM sandbox.charges WHERE order_id = $1`,
      [orderId],
    );
    expect(commits!.transactions).toBeLessThan(50);
  });

  it('survives batches that share keys in different orders', async () => {
    const other = await startSandbox(database);
    const requests = Array.from({ length: 300 }, (_, i) => chargeRequest({ orderId: `crossed-${i}` }));
    const [ours, theirs] = await Promise.all([
      Promise.all(requests.map((request) => sandbox.gateway.charge(request, soon()))),
      Promise.all(requests.toReversed().map((request) => other.gateway.charge(request, soon()))),
    ]);
    expect(theirs.toReversed()).toEqual(ours);
    await other.close();
  });

  it('refuses one charge of a batch without hurting the others', async () => {
    const known = chargeRequest();
    await sandbox.gateway.charge(known, soon());
    const batch = [chargeRequest(), { ...known, amount: 1 }, chargeRequest()];
    const results = await Promise.allSettled(batch.map((request) => sandbox.gateway.charge(request, soon())));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('has a ledger that refuses by itself what must not be', async () => {
    const request = chargeRequest();
    const id = transactionOf(await sandbox.gateway.charge(request, soon()));
    const update = (set: string) => database.query(`UPDATE sandbox.charges SET ${set} WHERE id = $1`, [id]);
    await expect(update('refunded_amount = amount + 1')).rejects.toThrow('refunded_within_captured');
    await expect(update(`refunded_amount = amount`)).rejects.toThrow('refunded_when_whole');
    await expect(update(`state = 'DECLINED'`)).rejects.toThrow('declined_with_code');
    await expect(update(`state = 'CANCELLED', refunded_amount = 1`)).rejects.toThrow('refunded_only_if_captured');
  });

  it('is in doubt when its database is away', async () => {
    const lost = await startSandbox(database);
    await lost.close();
    await expect(lost.gateway.charge(chargeRequest(), soon())).rejects.toThrow(GatewayUnknownError);
    await expect(lookup(lost.gateway, chargeRequest())).rejects.toThrow(GatewayUnknownError);
  });
});
