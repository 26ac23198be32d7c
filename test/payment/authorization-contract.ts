import { GatewayRequestError, GatewayUnknownError } from '../../src/payment/gateway/payment-gateway.js';
import {
  captureRequest,
  chargeRequest,
  type GatewayHarness,
  ledgerOf,
  lookup,
  refundRequest,
  soon,
  transactionOf,
} from './gateway-contract.js';

const DAY_MS = 24 * 3_600_000;

/** What every adapter promises about charges that are authorised first and captured later. */
export function describeAuthorizations(harness: () => GatewayHarness): void {
  const authorized = async (method = 'pm_card_visa') => {
    const { gateway } = harness();
    const request = chargeRequest({ capture: 'manual', method });
    const result = await gateway.charge(request, soon());
    return { gateway, request, result, transactionId: transactionOf(result) };
  };
  const stands = (gateway: GatewayHarness['gateway'], orderId: string, since?: Date) =>
    ledgerOf(gateway, orderId, since).then(([charge]) => [
      charge?.state,
      charge?.amount,
      charge?.capturedAmount,
      charge?.refundedAmount,
    ]);

  it('authorises and takes nothing, once under one key', async () => {
    const { gateway, request, result, transactionId } = await authorized();
    expect(result).toMatchObject({ kind: 'authorized', transactionId });
    expect(await gateway.charge(request, soon())).toEqual(result);
    expect(await lookup(gateway, request)).toEqual(result);
    expect(await stands(gateway, request.orderId)).toEqual(['AUTHORIZED', 2_500, 0, 0]);
    await expect(gateway.charge({ ...request, capture: undefined }, soon())).rejects.toThrow(GatewayRequestError);
    expect(await gateway.refund(refundRequest(request, transactionId), soon())).toMatchObject({ kind: 'failed' });
  });

  it('captures all of it, and answers the same to whoever asks again, under whichever key', async () => {
    const { gateway, request, transactionId } = await authorized();
    const capture = captureRequest(request, transactionId);
    const captured = { id: transactionId, state: 'CAPTURED', amount: 2_500, capturedAmount: 2_500, refundedAmount: 0 };
    for (const asked of [capture, capture, captureRequest(request, transactionId, { amount: 900 })])
      expect(await gateway.captureCharge(asked, soon())).toMatchObject({ ...captured, result: { kind: 'captured' } });
    expect(await gateway.retrieveCharge(transactionId, soon())).toMatchObject(captured);
    await expect(gateway.captureCharge({ ...capture, amount: 1_000 }, soon())).rejects.toThrow(GatewayRequestError);
    expect(await stands(gateway, request.orderId)).toEqual(['CAPTURED', 2_500, 2_500, 0]);
  });

  it('captures a part and releases the rest, and pays back no more than that part', async () => {
    const { gateway, request, transactionId } = await authorized();
    await gateway.captureCharge(captureRequest(request, transactionId, { amount: 1_600 }), soon());
    expect(await stands(gateway, request.orderId)).toEqual(['CAPTURED', 2_500, 1_600, 0]);
    const refund = (amount: number) => gateway.refund(refundRequest(request, transactionId, { amount }), soon());
    expect(await refund(600)).toMatchObject({ kind: 'settled' });
    expect(await stands(gateway, request.orderId)).toEqual(['CAPTURED', 2_500, 1_600, 600]);
    expect(await refund(1_001)).toMatchObject({ kind: 'failed' });
    expect(await refund(1_000)).toMatchObject({ kind: 'settled' });
    expect(await stands(gateway, request.orderId)).toEqual(['REFUNDED', 2_500, 1_600, 1_600]);
  });

  it('refuses more than was authorised', async () => {
    const { gateway, request, transactionId } = await authorized();
    const tooMuch = captureRequest(request, transactionId, { amount: 2_501 });
    await expect(gateway.captureCharge(tooMuch, soon())).rejects.toThrow(GatewayRequestError);
    expect(await stands(gateway, request.orderId)).toEqual(['AUTHORIZED', 2_500, 0, 0]);
  });

  it('takes a refund of a partial capture back, and pays it again', async () => {
    const { gateway, request, transactionId } = await authorized(harness().lateFailingMethod);
    await gateway.captureCharge(captureRequest(request, transactionId, { amount: 700 }), soon());
    const result = await gateway.refund(refundRequest(request, transactionId, { amount: 700 }), soon());
    if (result.kind !== 'settled') throw new Error(result.kind);
    expect(await stands(gateway, request.orderId)).toEqual(['REFUNDED', 2_500, 700, 700]);
    await harness().failLate(result.refundId);
    expect(await stands(gateway, request.orderId)).toEqual(['CAPTURED', 2_500, 700, 0]);
    await gateway.refund(refundRequest(request, transactionId, { amount: 700 }), soon());
    expect(await stands(gateway, request.orderId)).toEqual(['REFUNDED', 2_500, 700, 700]);
  });

  it('voids, and cannot be captured any more', async () => {
    const { gateway, request, transactionId } = await authorized();
    const voided = { id: transactionId, state: 'VOIDED', capturedAmount: 0 };
    expect(await gateway.cancelCharge({ ...request, transactionId }, soon())).toMatchObject(voided);
    expect(await gateway.cancelCharge({ ...request, transactionId }, soon())).toMatchObject(voided);
    expect(await gateway.captureCharge(captureRequest(request, transactionId), soon())).toMatchObject(voided);
    expect(await lookup(gateway, request)).toEqual({ kind: 'declined', transactionId, declineCode: 'cancelled' });
    expect(await stands(gateway, request.orderId)).toEqual(['VOIDED', 2_500, 0, 0]);
  });

  it('answers captured to a void that came too late', async () => {
    const { gateway, request, transactionId } = await authorized();
    await gateway.captureCharge(captureRequest(request, transactionId, { amount: 40 }), soon());
    const answer = await gateway.cancelCharge({ ...request, transactionId }, soon());
    expect(answer).toMatchObject({ state: 'CAPTURED', capturedAmount: 40 });
  });

  it('lets one of many captures and a void win', async () => {
    const { gateway, request, transactionId } = await authorized();
    const captures = Array.from({ length: 10 }, (_, i) =>
      gateway.captureCharge(captureRequest(request, transactionId, { amount: 100 + i }), soon()),
    );
    const answers = await Promise.all([...captures, gateway.cancelCharge({ ...request, transactionId }, soon())]);
    const ends = new Set(answers.map(({ state, capturedAmount }) => `${state} ${capturedAmount}`));
    expect(ends.size).toBe(1);
    const [charge] = await ledgerOf(gateway, request.orderId);
    expect([...ends]).toEqual([`${charge!.state} ${charge!.capturedAmount}`]);
  });

  it('asks the customer first, and is authorised after that', async () => {
    const { gateway, request, result, transactionId } = await authorized('pm_card_authenticationRequired');
    expect(result).toMatchObject({ kind: 'requires_action' });
    await harness().authenticate(transactionId, 'approve');
    expect(await lookup(gateway, request)).toMatchObject({ kind: 'authorized', transactionId });
    expect(await stands(gateway, request.orderId)).toEqual(['AUTHORIZED', 2_500, 0, 0]);
  });

  it('ends after seven days, says so in its ledger, and refuses a capture after that', async () => {
    const { gateway, request, transactionId } = await authorized();
    await harness().passTime(6.9 * DAY_MS);
    expect(await gateway.retrieveCharge(transactionId, soon())).toMatchObject({ state: 'AUTHORIZED' });
    const since = await harness().passTime(0.2 * DAY_MS);
    const expired = { id: transactionId, state: 'EXPIRED', capturedAmount: 0 };
    expect(await gateway.captureCharge(captureRequest(request, transactionId), soon())).toMatchObject(expired);
    expect(await gateway.cancelCharge({ ...request, transactionId }, soon())).toMatchObject(expired);
    const listed = await ledgerOf(gateway, request.orderId, new Date(since.getTime() - 60_000));
    expect(listed).toMatchObject([expired]);
  });

  it('sends nothing when its time is up already', async () => {
    const { gateway, request, transactionId } = await authorized();
    const late = AbortSignal.abort();
    const capture = gateway.captureCharge(captureRequest(request, transactionId), late);
    await expect(capture).rejects.toThrow(GatewayUnknownError);
    await expect(gateway.cancelCharge({ ...request, transactionId }, late)).rejects.toThrow(GatewayUnknownError);
    expect(await stands(gateway, request.orderId)).toEqual(['AUTHORIZED', 2_500, 0, 0]);
  });
}
