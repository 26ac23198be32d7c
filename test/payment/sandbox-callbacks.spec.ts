import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/common/error-message.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { chargeRequest, ledgerOf, lookup, refundRequest, soon, transactionOf } from './gateway-contract.js';
import { SandboxInstance, SandboxOptions, startSandbox } from './sandbox-harness.js';
import { Received, startWebhookReceiver, WebhookReceiver } from './webhook-receiver.js';

describe('sandbox callbacks', () => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  const instances: SandboxInstance[] = [];
  const start = async (options: SandboxOptions = {}): Promise<SandboxInstance> => {
    const instance = await startSandbox(database, { url: receiver.url, ...options });
    instances.push(instance);
    return instance;
  };
  const typesOf = (received: readonly Received[]): string[] =>
    received.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type);
  const waitingCharge = async (instance: SandboxInstance) => {
    const request = chargeRequest({ method: 'pm_card_authenticationRequired' });
    return { request, transactionId: transactionOf(await instance.gateway.charge(request, soon())) };
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await Promise.all(instances.splice(0).map((instance) => instance.close()));
    await receiver.close();
    await database.query('TRUNCATE sandbox.charges, sandbox.refunds, sandbox.callbacks, sandbox.settings');
  });
  afterAll(() => database.drop());

  it('announces an authentication that completes by itself, with a signature that the gateway accepts', async () => {
    const sandbox = await start({ authenticationMs: 150 });
    const { request, transactionId } = await waitingCharge(sandbox);
    const [callback] = await receiver.until(1);
    expect(callback!.path).toBe('/v1/webhooks/sandbox');
    expect(sandbox.gateway.parseWebhook(callback!.body, callback!.headers)).toMatchObject({
      ...{ type: 'charge.captured', transactionId, orderId: request.orderId, amount: request.amount },
    });
    expect(await ledgerOf(sandbox.gateway, request.orderId)).toMatchObject([{ state: 'CAPTURED' }]);
  });

  it('announces a decline by the customer with its reason', async () => {
    const sandbox = await start();
    const { transactionId } = await waitingCharge(sandbox);
    await sandbox.authenticate(transactionId, 'decline');
    const [callback] = await receiver.until(1);
    const event = sandbox.gateway.parseWebhook(callback!.body, callback!.headers);
    expect(event).toMatchObject({ type: 'charge.declined', declineCode: 'authentication_failed' });
  });

  it('never completes by itself when told not to, and says nothing about synchronous outcomes', async () => {
    const sandbox = await start();
    await waitingCharge(sandbox);
    const request = chargeRequest();
    const transactionId = transactionOf(await sandbox.gateway.charge(request, soon()));
    await sandbox.gateway.refund(refundRequest(request, transactionId), soon());
    await delay(300);
    expect(receiver.received).toEqual([]);
  });

  it('completes on another instance what the one that charged did not live to complete', async () => {
    const dead = await start({ authenticationMs: 50, isDead: true });
    const { transactionId } = await waitingCharge(dead);
    await delay(100);
    expect(receiver.received).toEqual([]);
    const survivor = await start();
    const [callback] = await receiver.until(1);
    expect(survivor.gateway.parseWebhook(callback!.body, callback!.headers)).toMatchObject({ transactionId });
  });

  it('repeats a callback until it is accepted', async () => {
    receiver.answers.push(500, 503, 302);
    const sandbox = await start({ authenticationMs: 1 });
    await waitingCharge(sandbox);
    const received = await receiver.until(4);
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
    await delay(400);
    expect(receiver.received).toHaveLength(4);
    expect(await database.query('SELECT 1 FROM sandbox.callbacks')).toEqual([]);
  });

  it('shares the work among instances: each callback is delivered once', async () => {
    const [first, second] = [await start({ authenticationMs: 20 }), await start({ authenticationMs: 20 })];
    await Promise.all(Array.from({ length: 30 }, (_, i) => waitingCharge(i % 2 ? first : second)));
    const received = await receiver.until(30);
    await delay(200);
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(30);
    expect(received).toHaveLength(30);
  });

  it('shares its secret among instances, unless one is configured', async () => {
    const [first, second] = [await start(), await start()];
    expect(first.settings.webhookSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(second.settings.webhookSecret).toBe(first.settings.webhookSecret);
    const configured = await start({ webhookSecret: 'a-configured-secret' });
    expect(configured.settings.webhookSecret).toBe('a-configured-secret');
  });

  describe('with faults', () => {
    it('sends duplicates under one event id', async () => {
      const sandbox = await start({ authenticationMs: 1 });
      await sandbox.setFaults({ duplicateCallbacks: 3 });
      await waitingCharge(sandbox);
      const received = await receiver.until(4);
      expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
    });

    it('delays', async () => {
      const sandbox = await start();
      await sandbox.setFaults({ callbackDelayMs: 400 });
      const { transactionId } = await waitingCharge(sandbox);
      const from = Date.now();
      await sandbox.authenticate(transactionId, 'approve');
      const [callback] = await receiver.until(1);
      expect(callback!.at - from).toBeGreaterThanOrEqual(390);
    });

    it('announces a refund before the charge that it refunds', async () => {
      const sandbox = await start();
      await sandbox.setFaults({ everyCallback: true, reorder: true });
      const request = chargeRequest();
      const transactionId = transactionOf(await sandbox.gateway.charge(request, soon()));
      await sandbox.gateway.refund(refundRequest(request, transactionId), soon());
      expect(typesOf(await receiver.until(2))).toEqual(['refund.settled', 'charge.captured']);
    });

    it('announces a charge before its call has an answer', async () => {
      const sandbox = await start();
      await sandbox.setFaults({ earlyCallbacks: true });
      await sandbox.gateway.charge(chargeRequest(), soon());
      expect(typesOf(receiver.received)).toEqual(['charge.captured']);
    });

    it('obeys on all instances, soon', async () => {
      const [first, second] = [await start(), await start()];
      await second.gateway.charge(chargeRequest(), soon());
      await first.setFaults({ chargeErrorRate: 1 });
      const outcome = () => second.gateway.charge(chargeRequest(), soon()).then(() => '', messageOf);
      await eventually('the other obeys', outcome, {
        until: (error) => error.includes('status 500'),
        withinMs: 20_000,
      });
    });

    it('answers errors with and without effect', async () => {
      const sandbox = await start();
      await sandbox.setFaults({ chargeErrorRate: 0.999, refundErrorRate: 0.999 });
      const requests = Array.from({ length: 40 }, () => chargeRequest());
      const results = await Promise.allSettled(requests.map((each) => sandbox.gateway.charge(each, soon())));
      expect(results.some(({ status }) => status === 'rejected')).toBe(true);
      const charged = await Promise.all(requests.map((each) => lookup(sandbox.gateway, each)));
      const count = charged.filter((each) => each !== undefined).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(40);
    });

    it('is slow on demand', async () => {
      const sandbox = await start();
      await sandbox.setFaults({ chargeLatencyMs: 200 });
      const from = Date.now();
      await sandbox.gateway.charge(chargeRequest(), soon());
      expect(Date.now() - from).toBeGreaterThanOrEqual(195);
    });
  });
});
