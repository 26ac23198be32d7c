import fc from 'fast-check';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { chargeRequest, ledgerOf, refundRequest, soon, transactionOf } from './gateway-contract.js';
import { SandboxInstance, startSandbox } from './sandbox-harness.js';

/** Amounts and keys of refunds; few keys, so that some are repeated. */
const refundsArbitrary = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 60 }), key: fc.nat({ max: 8 }) }), {
  maxLength: 12,
});

describe('the sandbox ledger, whatever is asked at once', () => {
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

  it('pays back exactly what it said it did, once per key, and never more than it took', async () => {
    await fc.assert(
      fc.asyncProperty(refundsArbitrary, async (refunds) => {
        const request = chargeRequest({ amount: 100 });
        const transactionId = transactionOf(await sandbox.gateway.charge(request, soon()));
        const settledByKey = new Map<number, { amount: number; refundId: string }>();
        await Promise.all(
          refunds.map(async ({ amount, key }) => {
            const asked = refundRequest(request, transactionId, { amount, idempotencyKey: `${transactionId}:${key}` });
            const result = await sandbox.gateway.refund(asked, soon()).catch(() => undefined);
            if (result?.kind !== 'settled') return;
            const { refundId } = result;
            expect(settledByKey.get(key) ?? { amount, refundId }).toEqual({ amount, refundId });
            settledByKey.set(key, { amount, refundId });
          }),
        );
        const paidBack = [...settledByKey.values()].reduce((sum, { amount }) => sum + amount, 0);
        const [charge] = await ledgerOf(sandbox.gateway, request.orderId);
        expect(paidBack).toBeLessThanOrEqual(100);
        expect(charge).toMatchObject({ refundedAmount: paidBack, state: paidBack === 100 ? 'REFUNDED' : 'CAPTURED' });
      }),
      { numRuns: 40 },
    );
  });
});
