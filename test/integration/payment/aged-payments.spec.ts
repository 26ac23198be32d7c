import { ReconciliationService } from '../../../src/audit/reconciliation/reconciliation.service.js';
import { StripeServer } from '../../payment/stripe-server.js';
import type { TestApp } from '../../setup/test-app.js';
import { HOUR_MS, loseAnswer, passTime, startOnStripe } from './aging.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, newSku, orderIn, orderOf, timelineOf } from '../../setup/shop.js';

const BANK_DEBIT = 'pm_usBankAccount_success';

/** A day is as long as Stripe remembers a key. What is older can only be asked about, never sent again. */
describe('a payment that takes longer than a provider remembers', () => {
  let server: StripeServer;
  let test: TestApp;
  beforeAll(async () => {
    server = await new StripeServer().start();
    test = await startOnStripe(server, { PAYMENT_ACTION_TIMEOUT_SECONDS: '172800' });
  });
  afterAll(async () => {
    await test.close();
    await server.stop();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });

  const admin = { key: 'admin' } as const;
  const intentOf = (orderId: string) => server.books.intentsOf(orderId)[0]!;
  const deliver = (type: string) => {
    const event = server.books.events.find((each) => each.type === type)!;
    return server.deliver(`${test.url}/v1/webhooks/stripe`, event);
  };
  const sagaOf = async (id: string) => {
    const { sagaId } = await orderOf(test.api, id);
    return (await test.api.get(`/v1/sagas/${sagaId}`, admin)).body;
  };
  const sagaIn = (id: string, state: string) =>
    eventually(`saga ${state}`, async () => {
      const saga = await sagaOf(id);
      return saga.state === state && saga;
    });
  const operate = async (id: string, verb: string) => {
    const { sagaId } = await orderOf(test.api, id);
    expect((await test.api.post(`/v1/sagas/${sagaId}/${verb}`, { reason: 'looked' }, admin)).status).toBe(200);
  };
  /** Waits for the provider. */
  const begin = async (method = BANK_DEBIT) => {
    const { status, body } = await checkOut(test.api, await newSku(test.api), method);
    expect({ status, state: body.state }).toEqual({ status: 202, state: 'PENDING' });
    return body.id as string;
  };
  const askedAbout = (id: string) =>
    eventually('asked by id', () =>
      Promise.resolve(server.requests.some(({ path }) => path === `/v1/payment_intents/${intentOf(id).id}`)),
    );
  const expectChargedOnce = (id: string) => {
    expect(server.chargesAsked).toBe(1);
    expect(server.books.intentsOf(id)).toHaveLength(1);
  };

  it('is retrieved by its id: processing for days, then confirmed by its callback, charged once', async () => {
    const id = await begin();
    const [payment] = await test.database.query<any>(`SELECT state, transaction_id FROM payments WHERE order_id = $1`, [
      id,
    ]);
    expect(payment).toEqual({ state: 'PENDING', transaction_id: intentOf(id).id });
    await passTime(test.database, server, 26 * HOUR_MS);
    await askedAbout(id);
    await sagaIn(id, 'WAITING');
    expectChargedOnce(id);
    server.books.finishProcessing(intentOf(id).id, 'pay');
    expect(await deliver('payment_intent.succeeded')).toBe(200);
    await orderIn(test.api, id, 'CONFIRMED');
    expectChargedOnce(id);
    expect(server.books.keptOf(id)).toBe(1_000);
    await expectSound(test.api);
  });

  it('is found by a reconciliation that looks at what changed, when its callback is lost', async () => {
    const id = await begin();
    await passTime(test.database, server, 72 * HOUR_MS);
    await askedAbout(id);
    await sagaIn(id, 'WAITING');
    server.books.finishProcessing(intentOf(id).id, 'refuse');
    const service = test.app.get(ReconciliationService, { strict: false });
    const { findings } = await service.run(new Date(Date.now() - HOUR_MS), AbortSignal.timeout(20_000));
    expect(findings).toMatchObject([{ kind: 'missed-callback', orderId: id, result: 'woken' }]);
    const order = await orderIn(test.api, id, 'REJECTED');
    expect(order.rejection).toMatchObject({ code: 'PAYMENT_DECLINED', declineCode: 'insufficient_funds' });
    expectChargedOnce(id);
  });

  it('waits on while the provider cannot be asked, rather than give up after three bad seconds', async () => {
    const id = await begin();
    const { epoch } = await sagaOf(id);
    server.isAway = true;
    await passTime(test.database, server, 26 * HOUR_MS);
    await eventually('asked in vain', async () => {
      const saga = await sagaOf(id);
      return saga.epoch > epoch && saga.state === 'WAITING';
    });
    server.isAway = false;
    server.books.finishProcessing(intentOf(id).id, 'pay');
    await deliver('payment_intent.succeeded');
    await orderIn(test.api, id, 'CONFIRMED');
    expectChargedOnce(id);
  });

  it('of a customer who never came back to authenticate is closed by its id after two days', async () => {
    const id = await begin('pm_card_authenticationRequired');
    await passTime(test.database, server, 49 * HOUR_MS);
    expect(await orderIn(test.api, id, 'REJECTED')).toMatchObject({ payment: { state: 'DECLINED' } });
    expect(intentOf(id).status).toBe('canceled');
    expectChargedOnce(id);
  });

  it('whose answer was lost is looked up by our key, however long ago that was', async () => {
    const id = await begin();
    server.books.finishProcessing(intentOf(id).id, 'pay');
    await loseAnswer(test.database, id, 24 * HOUR_MS);
    await passTime(test.database, server, 22 * HOUR_MS);
    await checkOut(test.api, await newSku(test.api)); // others are charged meanwhile
    await passTime(test.database, server, 50 * HOUR_MS);
    await orderIn(test.api, id, 'CONFIRMED');
    expect(server.books.intentsOf(id)).toHaveLength(1);
  });

  describe('and of which nobody knows whether it was made', () => {
    /** The request never arrived: the provider has nothing, and has forgotten the key. */
    const lost = async () => {
      const id = await begin();
      const intents = server.books.intentsOf(id);
      Object.assign(intents[0]!, { metadata: {} }); // not ours any more
      await loseAnswer(test.database, id, HOUR_MS);
      await passTime(test.database, server, 23.5 * HOUR_MS);
      const saga = await sagaIn(id, 'STUCK');
      expect(saga.failure.detail).toMatch(/nobody knows whether the order was charged/);
      expect(await orderOf(test.api, id)).toMatchObject({ state: 'PENDING', payment: { state: 'IN_DOUBT' } });
      // Nobody keeps the stock for a person who may come tomorrow.
      const held = await test.database.query(`SELECT FROM reservations WHERE order_id = $1 AND pinned_by IS NOT NULL`, [
        id,
      ]);
      expect(held).toEqual([]);
      return id;
    };

    it('is charged again within that time, and is stuck after it; an operator finds none and turns it back', async () => {
      const young = await begin();
      Object.assign(server.books.intentsOf(young)[0]!, { metadata: {} });
      await loseAnswer(test.database, young, 0);
      // The key still protects: the provider answers what it answered first.
      await eventually('sent again', () => Promise.resolve(server.chargesAsked === 2));
      server.requests.length = 0;

      const id = await lost();
      expect(server.chargesAsked).toBe(1);
      await expectSound(test.api);
      await operate(id, 'retry');
      await eventually('stuck again', async () => {
        const { state, audit, log } = await sagaOf(id);
        return (
          state === 'STUCK' && audit.length === 1 && log.filter((each: any) => each.result === 'stuck').length === 2
        );
      });
      await operate(id, 'compensate');
      expect(await orderIn(test.api, id, 'REJECTED')).toMatchObject({
        ...{ rejection: { code: 'CANCELLED' }, payment: { state: 'DECLINED' }, reservation: { state: 'RELEASED' } },
      });
      expect(server.chargesAsked).toBe(1);
    });

    it('goes on when the provider names it after all: by a callback, or by its ledger', async () => {
      const orders = [await lost(), await lost()];
      for (const id of orders) {
        const { sagaId: saga } = await orderOf(test.api, id);
        const metadata = { orderId: id, idempotencyKey: `charge:${saga}` };
        const params = { amount: '1000', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa', metadata };
        server.books.createIntent(params); // it had been under way for a long time
      }
      const [byLedger, byCallback] = orders as [string, string];
      await deliver('payment_intent.succeeded');
      await orderIn(test.api, byCallback, 'CONFIRMED');
      expect((await sagaOf(byCallback)).audit).toMatchObject([{ verb: 'retry', actor: 'callback' }]);
      const service = test.app.get(ReconciliationService, { strict: false });
      await service.run(new Date(Date.now() - HOUR_MS), AbortSignal.timeout(20_000));
      await orderIn(test.api, byLedger, 'CONFIRMED');
      expect((await sagaOf(byLedger)).audit).toMatchObject([{ verb: 'retry', actor: 'reconciliation' }]);
      for (const id of orders) expect(server.books.keptOf(id)).toBe(1_000);
      expect(server.chargesAsked).toBe(2);
    });
  });

  it('is not charged at another provider, when the shop has changed it meanwhile', async () => {
    const id = await begin();
    await test.database.query(`UPDATE payments SET provider = 'sandbox' WHERE order_id = $1`, [id]);
    await loseAnswer(test.database, id, 0);
    expect((await sagaIn(id, 'STUCK')).failure.detail).toContain('sandbox');
    expect(server.chargesAsked).toBe(1);
    await test.database.query(`UPDATE payments SET provider = 'stripe' WHERE order_id = $1`, [id]);
    await operate(id, 'retry');
    await sagaIn(id, 'WAITING');
  });

  it('is paid back when an operator turned it back and the bank pays after all', async () => {
    const id = await begin();
    await operate(id, 'compensate');
    await sagaIn(id, 'STUCK'); // nobody can cancel a bank debit, and COMPENSATING does not wait for days
    await passTime(test.database, server, 72 * HOUR_MS);
    server.books.finishProcessing(intentOf(id).id, 'pay');
    await deliver('payment_intent.succeeded');
    expect(await orderIn(test.api, id, 'REJECTED')).toMatchObject({ payment: { state: 'REFUNDED' } });
    expect(server.books.keptOf(id)).toBe(0);
    expectChargedOnce(id);
    expect((await timelineOf(test.api, id)).map(({ kind }) => kind)).toContain('refund.settled');
  });
});
