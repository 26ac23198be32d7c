import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { GatewayRequestError, GatewayUnknownError } from '../../src/payment/gateway/payment-gateway.js';
import { createStripeClient } from '../../src/payment/gateway/stripe/stripe-client.js';
import { StripeGateway, StripeGatewayOptions } from '../../src/payment/gateway/stripe/stripe-gateway.js';
import {
  captureRequest,
  chargeRequest,
  describeGatewayContract,
  ledgerOf,
  lookup,
  refundRequest,
  soon,
  transactionOf,
} from './gateway-contract.js';
import { StripeFault, StripeServer } from './stripe-server.js';
import { startWebhookReceiver } from './webhook-receiver.js';

const RETURN_URL = 'https://shop.example/return';

function gatewayOf(
  server: StripeServer,
  options: Partial<StripeGatewayOptions> = {},
  timeoutMs = 5_000,
  secretKey = server.secretKey,
): StripeGateway {
  const client = createStripeClient({ secretKey, timeoutMs, apiBase: server.url });
  return new StripeGateway(client, { webhookSecret: server.webhookSecret, ...options });
}

function eventBody(type: string, object: object): { id: string; body: string } {
  const id = `evt_${randomUUID()}`;
  const created = Math.floor(Date.now() / 1_000);
  return { id, body: JSON.stringify({ id, object: 'event', type, created, data: { object } }) };
}

describeGatewayContract('stripe', async () => {
  const server = await new StripeServer().start();
  return {
    gateway: gatewayOf(server, { returnUrl: RETURN_URL }),
    loseNextAnswer: (side) => {
      server.failNext(side === 'before-charge' ? 'hang-before' : 'hang-after');
      return 'pm_card_visa';
    },
    failTwoRefunds: () => {
      server.books.refundsToFail = 2;
      return 'pm_card_visa';
    },
    authenticate: async (id, verb) => {
      await Promise.resolve();
      server.books.authenticate(id, verb);
    },
    passTime: (ms) => {
      server.passTime(ms);
      return Promise.resolve(new Date(Date.now() - 1_000)); // Stripe counts in seconds
    },
    processingMethod: 'pm_usBankAccount_success',
    finishProcessing: async (id) => {
      await Promise.resolve();
      server.books.finishProcessing(id, 'pay');
    },
    lateFailingMethod: 'pm_card_visa',
    failLate: async (id) => {
      await Promise.resolve();
      server.books.failRefund(id);
    },
    capturedEvent: ({ transactionId: id, orderId, amount }) => {
      const intent = { id, object: 'payment_intent', amount, currency: 'eur', metadata: { orderId } };
      return eventBody('payment_intent.succeeded', intent);
    },
    sign: (body, options) => ({ 'stripe-signature': server.signature(body, options) }),
    close: () => server.stop(),
  };
});

describe('stripe', () => {
  let server: StripeServer;
  let gateway: StripeGateway;
  beforeEach(async () => {
    server = await new StripeServer().start();
    gateway = gatewayOf(server);
  });
  afterEach(() => server.stop());

  it('sends amount, currency, method, our names and the idempotency key', async () => {
    const request = chargeRequest();
    await gatewayOf(server, { returnUrl: RETURN_URL }).charge(request, soon());
    expect(server.requests).toEqual([
      {
        ...{ method: 'POST', path: '/v1/payment_intents', idempotencyKey: request.idempotencyKey },
        params: {
          ...{
            amount: '2500',
            currency: 'eur',
            payment_method: 'pm_card_visa',
            confirm: 'true',
            return_url: RETURN_URL,
          },
          metadata: { orderId: request.orderId, idempotencyKey: request.idempotencyKey },
          automatic_payment_methods: { enabled: 'true' },
        },
      },
    ]);
  });

  it('asks the storefront to show the challenge where there is no address to return to', async () => {
    const result = await gateway.charge(chargeRequest({ method: 'pm_card_authenticationRequired' }), soon());
    const nextAction = { type: 'use_stripe_sdk', clientSecret: expect.stringMatching(/_secret_/) as string };
    expect(result).toMatchObject({ kind: 'requires_action', nextAction });
    expect(server.requests[0]!.params['automatic_payment_methods']).toMatchObject({ allow_redirects: 'never' });
  });

  it.each<[StripeFault, number]>([
    ['hang-before', 0],
    ['hang-after', 1],
    ['500-before', 0],
    ['500-after', 1],
    ['rate-limit', 0],
    ['truncated', 1],
  ])('is in doubt after %s, makes no second attempt by itself, and the ledger has %d', async (fault, charges) => {
    const request = chargeRequest();
    server.failNext(fault);
    const call = gatewayOf(server, {}, 1_000).charge(request, soon());
    await expect(call).rejects.toThrow(GatewayUnknownError);
    expect(server.requests).toHaveLength(1);
    expect(await ledgerOf(gateway, request.orderId)).toHaveLength(charges);
    expect(await lookup(gateway, request)).toEqual(
      charges === 0 ? undefined : { kind: 'captured', transactionId: expect.any(String) as string },
    );
  });

  it.each<[StripeFault, number]>([
    ['drop-before', 0],
    ['drop-after', 1],
  ])('is in doubt after %s, twice: the SDK repeats once, under the same key', async (fault, charges) => {
    const request = chargeRequest();
    server.failNext(fault, fault);
    await expect(gateway.charge(request, soon())).rejects.toThrow(GatewayUnknownError);
    const { idempotencyKey } = request;
    expect(server.requests).toMatchObject([{ idempotencyKey }, { idempotencyKey }]);
    expect(await ledgerOf(gateway, request.orderId)).toHaveLength(charges);
  });

  it.each<StripeFault>(['hang-before', 'hang-after', 'drop-before', 'drop-after'])(
    'charges once when the same key is sent again after %s',
    async (fault) => {
      const request = chargeRequest();
      server.failNext(fault);
      await gateway
        .charge(request, soon(1_000))
        .catch((error: unknown) => expect(error).toBeInstanceOf(GatewayUnknownError));
      expect(await gateway.charge(request, soon())).toMatchObject({ kind: 'captured' });
      expect(await ledgerOf(gateway, request.orderId)).toHaveLength(1);
    },
  );

  it('finds a charge whose key keeps answering 500', async () => {
    const request = chargeRequest();
    server.failNext('500-after');
    await expect(gateway.charge(request, soon())).rejects.toThrow(GatewayUnknownError);
    await expect(gateway.charge(request, soon())).rejects.toThrow(GatewayUnknownError);
    expect(await lookup(gateway, request)).toMatchObject({ kind: 'captured' });
  });

  it('refuses wrong credentials clearly, without the key in the message', async () => {
    const stranger = gatewayOf(server, {}, 5_000, 'sk_test_wrong_credentials');
    const error: unknown = await stranger.charge(chargeRequest(), soon()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GatewayRequestError);
    expect(String(error)).toContain('401');
    expect(JSON.stringify(error) + String(error)).not.toContain('sk_test');
    await expect(lookup(stranger, chargeRequest())).rejects.toThrow(GatewayRequestError);
  });

  it('is in doubt when nobody listens', async () => {
    const deaf = createServer();
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as { port: number };
    await new Promise((resolve) => deaf.close(resolve));
    const client = createStripeClient({ secretKey: 'sk', timeoutMs: 500, apiBase: `http://127.0.0.1:${port}` });
    const call = new StripeGateway(client, { webhookSecret: 'whsec' }).charge(chargeRequest(), soon());
    await expect(call).rejects.toThrow(GatewayUnknownError);
  });

  it('declines what Stripe will not even try', async () => {
    const result = await gateway.charge(chargeRequest({ amount: 49 }), soon());
    expect(result).toEqual({ kind: 'declined', declineCode: 'amount_too_small' });
  });

  describe('among a thousand others', () => {
    const TEN_MINUTES_MS = 600_000;
    /** Charges of somebody, without the way over the wire. */
    const fill = (count: number) => {
      const params = { amount: '500', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa' };
      for (let n = 0; n < count; n += 1) server.books.createIntent(params);
    };
    const paths = () => server.requests.map(({ path }) => path);

    it('looks through the newest charges first and searches for older ones', async () => {
      const old = chargeRequest({ idempotencyKey: 'with "quotes" and \\', method: 'pm_usBankAccount_success' });
      const intendedAt = new Date(Date.now() - TEN_MINUTES_MS);
      const transactionId = transactionOf(await gateway.charge(old, soon()));
      fill(999);
      server.passTime(TEN_MINUTES_MS);
      const newest = chargeRequest();
      await gateway.charge(newest, soon());
      server.books.unindexed = 1_000;
      // What the index says of its state is as old as the index.
      server.books.finishProcessing(transactionId, 'pay');
      server.requests.length = 0;
      expect(await lookup(gateway, old, intendedAt)).toEqual({ kind: 'captured', transactionId });
      const listed = Array.from({ length: 10 }, () => '/v1/payment_intents');
      expect(paths()).toEqual([...listed, '/v1/payment_intents/search', `/v1/payment_intents/${transactionId}`]);
      server.requests.length = 0;
      await lookup(gateway, newest);
      expect(server.requests).toHaveLength(1);
    });

    it('lists further than a thousand what is too young to be in the index', async () => {
      const request = chargeRequest();
      await gateway.charge(request, soon());
      fill(1_050);
      server.books.unindexed = Infinity;
      expect(await lookup(gateway, request)).toMatchObject({ kind: 'captured' });
      expect(await lookup(gateway, chargeRequest())).toBeUndefined();
    });
  });

  it('finds a refund among more than a hundred of its charge', async () => {
    const request = chargeRequest();
    const transactionId = transactionOf(await gateway.charge(request, soon()));
    const refunds = Array.from({ length: 120 }, () => refundRequest(request, transactionId, { amount: 1 }));
    for (const refund of refunds) await gateway.refund(refund, soon());
    expect(await gateway.lookupRefund(refunds[0]!, soon())).toMatchObject({ kind: 'settled' });
    expect(await gateway.lookupRefund(refundRequest(request, transactionId), soon())).toBeUndefined();
  });

  it('pages through the ledger and leaves out what is not ours', async () => {
    const requests = Array.from({ length: 230 }, () => chargeRequest());
    await Promise.all(requests.map((request) => gateway.charge(request, soon())));
    server.books.createIntent({ amount: '500', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa' });
    const sizes: number[] = [];
    for await (const page of gateway.listCharges(new Date(Date.now() - 60_000), soon())) sizes.push(page.length);
    expect(sizes).toEqual([99, 100, 31]);
  });

  it('waits for a refund that is pending', async () => {
    server.books.refundStatus = 'pending';
    const request = chargeRequest();
    const transactionId = transactionOf(await gateway.charge(request, soon()));
    const refund = refundRequest(request, transactionId);
    const pending = { kind: 'processing', refundId: expect.any(String) as string };
    expect(await gateway.refund(refund, soon())).toEqual(pending);
    expect(await gateway.lookupRefund(refund, soon())).toEqual(pending);
  });

  it.each([
    ['ISK', 500, '50000'],
    ['UGX', 500, '50000'],
    ['MGA', 50_000, '500'],
    ['JPY', 500, '500'],
    ['KWD', 5_000, '5000'],
  ])('counts %s as Stripe does, and as we do in the ledger', async (currency, amount, sent) => {
    const request = chargeRequest({ currency, amount });
    const transactionId = transactionOf(await gateway.charge(request, soon()));
    expect(server.requests[0]!.params['amount']).toBe(sent);
    await gateway.refund(refundRequest(request, transactionId), soon());
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([
      { amount, refundedAmount: amount, currency, state: 'REFUNDED' },
    ]);
  });

  it('asks for a manual capture, and how long the authorisation lasts', async () => {
    const result = await gateway.charge(chargeRequest({ capture: 'manual' }), soon());
    expect(server.requests[0]!.params).toMatchObject({ capture_method: 'manual', expand: { 0: 'latest_charge' } });
    const until = result.kind === 'authorized' ? Date.parse(result.authorizedUntil ?? '') : 0;
    expect(Math.abs(until - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
  });

  it('is in doubt about a capture whose answer is lost, and finds it by the id of its charge', async () => {
    for (const fault of ['hang-after', '500-after', 'truncated'] as const) {
      const request = chargeRequest({ capture: 'manual' });
      const transactionId = transactionOf(await gateway.charge(request, soon()));
      server.failNext(fault);
      const capture = gatewayOf(server, {}, 1_000).captureCharge(captureRequest(request, transactionId), soon());
      await expect(capture).rejects.toThrow(GatewayUnknownError);
      expect(await gateway.retrieveCharge(transactionId, soon())).toMatchObject({ state: 'CAPTURED' });
    }
  });

  it('knows disputes, and lists those that have changed', async () => {
    const request = chargeRequest();
    const transactionId = transactionOf(await gateway.charge(request, soon()));
    const since = new Date(Date.now() - 60_000);
    const { object } = server.books.disputes.open(transactionId).data;
    const open = { id: object.id, transactionId, state: 'OPEN', amount: 2_500, currency: 'EUR' };
    const answer = { ...open, reason: 'product_not_received', respondBy: expect.any(String) as string };
    expect(await gateway.retrieveDispute(object.id, soon())).toMatchObject(answer);
    for (const [status, state] of [
      ['under_review', 'OPEN'],
      ['lost', 'LOST'],
    ] as const) {
      server.books.disputes.move(object.id, status);
      expect(await gateway.retrieveDispute(object.id, soon())).toMatchObject({ ...open, state });
    }
    const listed = [];
    for await (const page of gateway.listDisputes(since, soon())) listed.push(...page);
    expect(listed).toMatchObject([{ ...open, state: 'LOST' }]);
    expect(await gateway.retrieveDispute('du_unheard_of', soon())).toBeUndefined();
  });

  describe('events', () => {
    const intent = { id: 'pi_1', object: 'payment_intent', amount: 900, currency: 'eur', metadata: { orderId: 'o-1' } };
    const refund = { id: 're_1', object: 'refund', amount: 300, currency: 'eur', payment_intent: 'pi_1', metadata: {} };
    const parse = (type: string, object: object) => {
      const { body } = eventBody(type, object);
      return gateway.parseWebhook(Buffer.from(body), { 'stripe-signature': server.signature(body) });
    };

    it.each([
      ['payment_intent.canceled', 'cancelled', undefined],
      [
        'payment_intent.payment_failed',
        'insufficient_funds',
        { code: 'card_declined', decline_code: 'insufficient_funds' },
      ],
      ['payment_intent.payment_failed', 'expired_card', { code: 'expired_card' }],
    ])('reads %s as a decline (%s)', (type, declineCode, error) => {
      const expected = { type: 'charge.declined', transactionId: 'pi_1', orderId: 'o-1', amount: 900, declineCode };
      expect(parse(type, { ...intent, last_payment_error: error })).toMatchObject(expected);
    });

    it.each([
      ['payment_intent.amount_capturable_updated', {}, 'charge.authorized'],
      ['payment_intent.canceled', { capture_method: 'manual', latest_charge: 'ch_1' }, 'charge.voided'],
      ['payment_intent.canceled', { capture_method: 'manual', latest_charge: null }, 'charge.declined'],
    ])('reads %s of %j as %s', (type, more, expected) => {
      expect(parse(type, { ...intent, ...more })).toMatchObject({
        type: expected,
        transactionId: 'pi_1',
        orderId: 'o-1',
      });
    });

    it.each([
      ['charge.dispute.created', 'dispute.opened'],
      ['charge.dispute.updated', 'dispute.updated'],
      ['charge.dispute.closed', 'dispute.closed'],
    ])('reads %s as %s', (type, expected) => {
      const dispute = { id: 'du_1', object: 'dispute', amount: 900, currency: 'eur', payment_intent: 'pi_1' };
      const known = { type: expected, transactionId: 'pi_1', disputeId: 'du_1', amount: 900 };
      expect(parse(type, dispute)).toMatchObject(known);
      expect(parse(type, { ...dispute, payment_intent: null })).toMatchObject({ type: 'ignored' });
    });

    it.each([
      ['refund.created', 'succeeded', 'refund.settled'],
      ['refund.updated', 'succeeded', 'refund.settled'],
      ['refund.updated', 'pending', 'ignored'],
      ['refund.failed', 'failed', 'refund.failed'],
      ['charge.refund.updated', 'failed', 'refund.failed'],
    ])('reads %s (%s) as %s', (type, status, expected) => {
      expect(parse(type, { ...refund, status })).toMatchObject({
        ...{ type: expected, transactionId: 'pi_1', refundId: 're_1', amount: 300 },
      });
    });

    it.each(['charge.refunded', 'customer.created', 'something.new'])('ignores %s', (type) => {
      expect(parse(type, { id: 'x_1' })).toMatchObject({ type: 'ignored' });
    });

    it('accepts what the server sends over the wire', async () => {
      const receiver = await startWebhookReceiver();
      const { id, body } = eventBody('payment_intent.succeeded', intent);
      expect(await server.sendWebhook(`${receiver.url}/v1/webhooks/stripe`, body)).toBe(200);
      const [callback] = await receiver.until(1);
      expect(gateway.parseWebhook(callback!.body, callback!.headers)).toMatchObject({ id, type: 'charge.captured' });
      await receiver.close();
    });
  });
});
