import { randomUUID } from 'node:crypto';
import {
  CaptureRequest,
  ChargeRequest,
  ChargeResult,
  GatewayRequestError,
  GatewayUnknownError,
  InvalidSignatureError,
  KnownRefund,
  LedgerCharge,
  PaymentGateway,
  RefundRequest,
  RefundResult,
} from '../../src/payment/gateway/payment-gateway.js';

import { eventually } from '../setup/eventually.js';
import { describeAuthorizations } from './authorization-contract.js';

type Headers = Record<string, string>;

/** What a provider's test double offers beside the port itself. */
export interface GatewayHarness {
  readonly gateway: PaymentGateway;
  /** Makes the next charge go unanswered; answers the method to pay with. */
  loseNextAnswer(side: 'before-charge' | 'after-charge'): string;
  /** Makes the next two refunds of a charge fail; answers the method to pay with. */
  failTwoRefunds(): string;
  /** Lets time pass at the provider, which is to remember keys for a day; answers what time it is there then. */
  passTime(ms: number): Promise<Date>;
  /** A method that is processed until the bank has paid. */
  readonly processingMethod: string;
  finishProcessing(transactionId: string): Promise<void>;
  /** A method whose refund settles, and fails when the harness says so. */
  readonly lateFailingMethod: string;
  failLate(refundId: string): Promise<void>;
  /** The customer's side of an authentication. */
  authenticate(transactionId: string, verb: 'approve' | 'decline'): Promise<void>;
  /** The body of a callback that says a charge was captured. */
  capturedEvent(charge: { transactionId: string; orderId: string; amount: number }): { id: string; body: string };
  /** Signs as the provider does; another secret or another time make a forgery or a stale one. */
  sign(body: string, options?: { secret?: string; nowMs?: number }): Headers;
  close(): Promise<void>;
}

const anyString = expect.any(String) as string;
const anyDate = expect.any(Date) as Date;

export const soon = (ms = 60_000): AbortSignal => AbortSignal.timeout(ms);

export function chargeRequest(overrides: Partial<ChargeRequest> = {}): ChargeRequest {
  const orderId = overrides.orderId ?? `order-${randomUUID()}`;
  return {
    idempotencyKey: `charge:${orderId}`,
    orderId,
    amount: 2_500,
    currency: 'EUR',
    method: 'pm_card_visa',
    ...overrides,
  };
}

export function refundRequest(
  charge: ChargeRequest,
  transactionId: string,
  overrides: Partial<RefundRequest> = {},
): RefundRequest {
  const { orderId, amount, currency } = charge;
  return { idempotencyKey: `refund:${randomUUID()}`, orderId, transactionId, amount, currency, ...overrides };
}

export function captureRequest(
  charge: ChargeRequest,
  transactionId: string,
  overrides: Partial<CaptureRequest> = {},
): CaptureRequest {
  const { orderId, amount, currency } = charge;
  return { idempotencyKey: `capture:${randomUUID()}`, orderId, transactionId, amount, currency, ...overrides };
}

export function transactionOf(result: ChargeResult | undefined): string {
  if (result?.transactionId === undefined) throw new Error('the provider gave no transaction id');
  return result.transactionId;
}

const HOUR_MS = 3_600_000;

export async function ledgerOf(
  gateway: PaymentGateway,
  orderId: string,
  since = new Date(Date.now() - HOUR_MS),
): Promise<LedgerCharge[]> {
  const found: LedgerCharge[] = [];
  for await (const page of gateway.listCharges(since, soon())) {
    found.push(...page.filter((charge) => charge.orderId === orderId));
  }
  return found;
}

/** As the step looks: it knows when it intended the charge. */
export function lookup(gateway: PaymentGateway, { orderId, idempotencyKey }: ChargeRequest, intendedAt = new Date()) {
  return gateway.lookupCharge({ orderId, idempotencyKey, intendedAt }, soon());
}

async function cancel(gateway: PaymentGateway, request: ChargeRequest, transactionId: string): Promise<ChargeResult> {
  return (await gateway.cancelCharge({ ...request, transactionId }, soon())).result;
}

async function failedRefundsOf(gateway: PaymentGateway, orderId: string, since: Date): Promise<KnownRefund[]> {
  const found: KnownRefund[] = [];
  for await (const page of gateway.listFailedRefunds(since, soon()))
    found.push(...page.filter((refund) => refund.orderId === orderId));
  return found;
}

/** What every adapter promises, whatever provider stands behind it. */
export function describeGatewayContract(name: string, start: () => Promise<GatewayHarness>): void {
  describe(`${name}: the gateway contract`, () => {
    let harness: GatewayHarness;
    let gateway: PaymentGateway;
    const setup = (): GatewayHarness => harness;
    beforeAll(async () => {
      harness = await start();
      gateway = harness.gateway;
    });
    afterAll(() => harness.close());

    describeCharges(() => gateway);
    describeLostAnswers(setup);
    describeRefunds(setup);
    describeAuthentication(setup);
    describeAuthorizations(setup);
    describeWebhooks(setup);
    describeTime(setup);
  });
}

function describeCharges(gateway: () => PaymentGateway): void {
  it('captures, and its ledger says so', async () => {
    const request = chargeRequest();
    const result = await gateway().charge(request, soon());
    expect(result).toEqual({ kind: 'captured', transactionId: anyString });
    expect(await ledgerOf(gateway(), request.orderId)).toEqual([
      {
        ...{ id: transactionOf(result), orderId: request.orderId, amount: 2_500, currency: 'EUR' },
        ...{ capturedAmount: 2_500, refundedAmount: 0 },
        ...{ state: 'CAPTURED', idempotencyKey: request.idempotencyKey, createdAt: anyDate },
      },
    ]);
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('declines %s with its reason, and replays the decline', async (method, declineCode) => {
    const request = chargeRequest({ method });
    const result = await gateway().charge(request, soon());
    expect(result).toMatchObject({ kind: 'declined', declineCode });
    expect(await gateway().charge(request, soon())).toEqual(result);
    expect(await lookup(gateway(), request)).toEqual(result);
    expect(await ledgerOf(gateway(), request.orderId)).toMatchObject([{ state: 'DECLINED' }]);
  });

  it('declines a method that it does not know', async () => {
    const result = await gateway().charge(chargeRequest({ method: 'pm_unheard_of' }), soon());
    expect(result).toMatchObject({ kind: 'declined', declineCode: anyString });
  });

  it('charges once under one key', async () => {
    const request = chargeRequest();
    const first = await gateway().charge(request, soon());
    expect(await gateway().charge(request, soon())).toEqual(first);
    expect(await ledgerOf(gateway(), request.orderId)).toHaveLength(1);
  });

  it('refuses a key that was used for another amount, without a second charge', async () => {
    const request = chargeRequest();
    await gateway().charge(request, soon());
    await expect(gateway().charge({ ...request, amount: 2_501 }, soon())).rejects.toThrow(GatewayRequestError);
    expect(await ledgerOf(gateway(), request.orderId)).toMatchObject([{ amount: 2_500 }]);
  });

  it('makes one charge of 50 concurrent calls with one key', async () => {
    const request = chargeRequest();
    const calls = Array.from({ length: 50 }, () => gateway().charge(request, soon()));
    const settled = await Promise.allSettled(calls);
    const answers = settled.filter((each) => each.status === 'fulfilled').map((each) => transactionOf(each.value));
    const refusals = settled.filter((each) => each.status === 'rejected').map((each) => each.reason as unknown);
    expect(new Set(answers).size).toBe(1);
    // A provider may answer "the same request is under way": unknown, never definite.
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(GatewayUnknownError);
    expect(await ledgerOf(gateway(), request.orderId)).toMatchObject([{ id: answers[0], state: 'CAPTURED' }]);
  });

  it('knows nothing under a key that never arrived', async () => {
    expect(await lookup(gateway(), chargeRequest())).toBeUndefined();
  });

  it('sends nothing when its time is up already', async () => {
    const request = chargeRequest();
    await expect(gateway().charge(request, AbortSignal.abort())).rejects.toThrow(GatewayUnknownError);
    expect(await ledgerOf(gateway(), request.orderId)).toEqual([]);
  });
}

function describeLostAnswers(harness: () => GatewayHarness): void {
  it('is in doubt when the answer is lost after the charge, and the look-up finds the charge', async () => {
    const { gateway } = harness();
    const request = chargeRequest({ method: harness().loseNextAnswer('after-charge') });
    const controller = new AbortController();
    const call = gateway.charge(request, controller.signal);
    call.catch(() => undefined);
    const charged = await eventually('the charge', () => lookup(gateway, request));
    controller.abort();
    await expect(call).rejects.toThrow(GatewayUnknownError);
    expect(charged).toMatchObject({ kind: 'captured' });
    expect(await ledgerOf(gateway, request.orderId)).toHaveLength(1);
  });

  it('is in doubt when the request is lost before the charge, and the look-up finds none', async () => {
    const { gateway } = harness();
    const request = chargeRequest({ method: harness().loseNextAnswer('before-charge') });
    await expect(gateway.charge(request, soon(300))).rejects.toThrow(GatewayUnknownError);
    expect(await lookup(gateway, request)).toBeUndefined();
    expect(await ledgerOf(gateway, request.orderId)).toEqual([]);
  });
}

function describeRefunds(harness: () => GatewayHarness): void {
  const captured = async (overrides: Partial<ChargeRequest> = {}) => {
    const request = chargeRequest(overrides);
    return { request, transactionId: transactionOf(await harness().gateway.charge(request, soon())) };
  };
  const settled = { kind: 'settled', refundId: anyString };

  it('refunds in parts until nothing is left, and then no more', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await captured();
    const refund = (amount: number): Promise<RefundResult> =>
      gateway.refund(refundRequest(request, transactionId, { amount }), soon());
    expect(await refund(1_000)).toEqual(settled);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 1_000 }]);
    expect(await refund(1_501)).toMatchObject({ kind: 'failed' });
    expect(await refund(1_500)).toEqual(settled);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 2_500 }]);
    expect(await refund(1)).toMatchObject({ kind: 'failed' });
  });

  it('refunds once under one key, and refuses it for another amount', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await captured();
    const refund = refundRequest(request, transactionId, { amount: 400 });
    const first = await gateway.refund(refund, soon());
    expect(await gateway.refund(refund, soon())).toEqual(first);
    expect(await gateway.lookupRefund(refund, soon())).toEqual(first);
    await expect(gateway.refund({ ...refund, amount: 401 }, soon())).rejects.toThrow(GatewayRequestError);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ refundedAmount: 400 }]);
  });

  it('never pays back more than it took, however many ask at once', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await captured();
    const asked = Array.from({ length: 20 }, () => refundRequest(request, transactionId, { amount: 300 }));
    const results = await Promise.all(asked.map((each) => gateway.refund(each, soon())));
    expect(results.filter((result) => result.kind === 'settled')).toHaveLength(8);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 2_400 }]);
  });

  it('fails two refunds and settles the third; a failed one stays failed under its key', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await captured({ method: harness().failTwoRefunds() });
    const first = refundRequest(request, transactionId);
    expect(await gateway.refund(first, soon())).toMatchObject({ kind: 'failed' });
    expect(await gateway.refund(first, soon())).toMatchObject({ kind: 'failed' });
    expect(await gateway.lookupRefund(first, soon())).toMatchObject({ kind: 'failed' });
    expect(await gateway.refund(refundRequest(request, transactionId), soon())).toMatchObject({ kind: 'failed' });
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
    expect(await gateway.refund(refundRequest(request, transactionId), soon())).toEqual(settled);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 2_500 }]);
  });

  it('knows no refund under a key that never arrived, and refunds no charge that it does not know', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await captured();
    expect(await gateway.lookupRefund(refundRequest(request, transactionId), soon())).toBeUndefined();
    expect(await gateway.refund(refundRequest(request, 'unknown'), soon())).toMatchObject({ kind: 'failed' });
  });
}

function describeAuthentication(harness: () => GatewayHarness): void {
  const waiting = async () => {
    const request = chargeRequest({ method: 'pm_card_authenticationRequired' });
    const result = await harness().gateway.charge(request, soon());
    return { request, result, transactionId: transactionOf(result) };
  };

  it('asks for the customer, takes nothing meanwhile, and repeats the same question', async () => {
    const { gateway } = harness();
    const { request, result } = await waiting();
    const nextAction = { type: 'redirect_to_url', url: expect.stringMatching(/^https?:/) as string };
    expect(result).toMatchObject({ kind: 'requires_action', nextAction });
    expect(await gateway.charge(request, soon())).toEqual(result);
    expect(await lookup(gateway, request)).toEqual(result);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'PENDING' }]);
  });

  it.each([
    ['approve', { kind: 'captured' }, 'CAPTURED'],
    ['decline', { kind: 'declined' }, 'DECLINED'],
  ] as const)('ends when the customer chooses to %s', async (verb, expected, state) => {
    const { gateway } = harness();
    const { request, transactionId } = await waiting();
    await harness().authenticate(transactionId, verb);
    expect(await lookup(gateway, request)).toMatchObject({ ...expected, transactionId });
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state }]);
  });

  it('cannot be captured any more once it was cancelled', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await waiting();
    const cancelled = { kind: 'declined', transactionId, declineCode: 'cancelled' };
    expect(await cancel(gateway, request, transactionId)).toEqual(cancelled);
    await harness()
      .authenticate(transactionId, 'approve')
      .catch(() => undefined);
    expect(await cancel(gateway, request, transactionId)).toEqual(cancelled);
    expect(await lookup(gateway, request)).toEqual(cancelled);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'CANCELLED' }]);
  });

  it('answers captured to a cancellation that came too late', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await waiting();
    await harness().authenticate(transactionId, 'approve');
    expect(await cancel(gateway, request, transactionId)).toEqual({ kind: 'captured', transactionId });
  });
}

function describeWebhooks(harness: () => GatewayHarness): void {
  const event = { transactionId: 'tx-1', orderId: 'order-1', amount: 2_500 };
  const parse = (body: string, headers: Headers) => harness().gateway.parseWebhook(Buffer.from(body), headers);

  it('reads an event whose signature is good', () => {
    const { id, body } = harness().capturedEvent(event);
    const parsed = parse(body, harness().sign(body));
    expect(parsed).toEqual({ id, type: 'charge.captured', ...event, occurredAt: anyDate });
  });

  it.each([
    ['forged', { secret: 'whsec_of_somebody_else' }],
    ['stale', { nowMs: Date.now() - 301_000 }],
  ])('refuses a %s signature', (_, options) => {
    const { body } = harness().capturedEvent(event);
    expect(() => parse(body, harness().sign(body, options))).toThrow(InvalidSignatureError);
  });

  it('refuses a tampered body, a missing signature and a signature that is no signature', () => {
    const { body } = harness().capturedEvent(event);
    const headers = harness().sign(body);
    const garbled = Object.fromEntries(Object.keys(headers).map((name) => [name, 't=,v1=zz,,=']));
    expect(() => parse(body.replace('2500', '1'), headers)).toThrow(InvalidSignatureError);
    expect(() => parse(body, {})).toThrow(InvalidSignatureError);
    expect(() => parse(body, garbled)).toThrow(InvalidSignatureError);
  });

  it('refuses a body that is signed but no event', () => {
    expect(() => parse('not json', harness().sign('not json'))).toThrow(InvalidSignatureError);
  });
}

/** What a provider does over days: a charge that takes long, keys that are forgotten, refunds that come back. */
function describeTime(harness: () => GatewayHarness): void {
  const DAY_MS = 24 * HOUR_MS;
  const charged = async (overrides: Partial<ChargeRequest> = {}) => {
    const request = chargeRequest(overrides);
    const transactionId = transactionOf(await harness().gateway.charge(request, soon()));
    return { request, transactionId };
  };

  it('says how long it remembers a key, finds the charge for longer than that, and would charge again', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await charged();
    const memoryMs = gateway.keyMemoryMs ?? DAY_MS;
    await harness().passTime(memoryMs);
    const intendedAt = new Date(Date.now() - memoryMs);
    const { idempotencyKey, orderId } = request;
    const result = { kind: 'captured', transactionId };
    expect(await lookup(gateway, request, intendedAt)).toEqual(result);
    expect(await gateway.retrieveCharge(transactionId, soon())).toMatchObject({
      ...{ id: transactionId, orderId, idempotencyKey, amount: 2_500, refundedAmount: 0, currency: 'EUR', result },
    });
    // Nothing but the caller can prevent this one.
    const second = transactionOf(await gateway.charge(request, soon()));
    expect(second).not.toBe(transactionId);
    const both = await ledgerOf(gateway, orderId, new Date(Date.now() - 2 * DAY_MS));
    expect(both).toMatchObject([{ state: 'CAPTURED' }, { state: 'CAPTURED' }]);
  });

  it('processes a charge for days, cannot be talked out of it, and lists it when it ends', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await charged({ method: harness().processingMethod });
    const processing = { kind: 'processing', transactionId };
    const since = await harness().passTime(3 * DAY_MS);
    const intendedAt = new Date(Date.now() - 3 * DAY_MS);
    expect(await gateway.retrieveCharge(transactionId, soon())).toMatchObject({ state: 'PENDING', result: processing });
    expect(await lookup(gateway, request, intendedAt)).toEqual(processing);
    expect(await cancel(gateway, request, transactionId)).toEqual(processing);
    expect(await ledgerOf(gateway, request.orderId, since)).toEqual([]);
    await harness().finishProcessing(transactionId);
    expect(await lookup(gateway, request, intendedAt)).toEqual({ kind: 'captured', transactionId });
    expect(await ledgerOf(gateway, request.orderId, since)).toMatchObject([{ id: transactionId, state: 'CAPTURED' }]);
  });

  it('takes a refund back days after it had settled, says so in every way, and pays it under another key', async () => {
    const { gateway } = harness();
    const { request, transactionId } = await charged({ method: harness().lateFailingMethod });
    const refund = refundRequest(request, transactionId, { amount: 1_000 });
    const result = await gateway.refund(refund, soon());
    if (result.kind !== 'settled') throw new Error(result.kind);
    const { refundId } = result;
    const since = await harness().passTime(3 * DAY_MS);
    expect(await gateway.retrieveRefund(refundId, soon())).toMatchObject({ id: refundId, result });
    expect(await failedRefundsOf(gateway, request.orderId, since)).toEqual([]);
    await harness().failLate(refundId);
    const failed = { kind: 'failed', reason: 'expired_or_canceled_card' };
    const { orderId } = request;
    const known = { id: refundId, transactionId, orderId, amount: 1_000, idempotencyKey: refund.idempotencyKey };
    expect(await gateway.retrieveRefund(refundId, soon())).toEqual({ ...known, result: failed });
    expect(await gateway.lookupRefund(refund, soon())).toEqual(failed);
    expect(await failedRefundsOf(gateway, orderId, since)).toEqual([{ ...known, result: failed }]);
    expect(await ledgerOf(gateway, orderId, since)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
    const again = refundRequest(request, transactionId, { amount: 2_500 });
    expect(await gateway.refund(again, soon())).toMatchObject({ kind: 'settled' });
    expect(await ledgerOf(gateway, orderId, since)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 2_500 }]);
  });

  it('knows no charge and no refund by an id that it never gave', async () => {
    const { gateway } = harness();
    expect(await gateway.retrieveCharge('pi_unheard_of', soon())).toBeUndefined();
    expect(await gateway.retrieveRefund('re_unheard_of', soon())).toBeUndefined();
  });
}
