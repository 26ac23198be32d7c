import { setTimeout as delay } from 'node:timers/promises';
import { bounded, neverAnswers } from '../bounded.js';
import {
  CaptureRequest,
  ChargeLookup,
  ChargeRequest,
  ChargeResult,
  GatewayRequestError,
  KnownCharge,
  KnownRefund,
  LedgerCharge,
  LookupRequest,
  PaymentGateway,
  RefundRequest,
  RefundResult,
  CallbackEvent,
} from '../payment-gateway.js';
import { SandboxAuthorizations } from './sandbox-authorizations.js';
import { SandboxCallbacksJob } from './sandbox-callbacks.job.js';
import type { Charge, NewCharge } from './sandbox-charge.repository.js';
import { toWebhookEvent } from './sandbox-events.js';
import { firstIdAt, sandboxId } from './sandbox-id.js';
import { ChargeOutcome, SandboxLedger } from './sandbox-ledger.service.js';
import { behaviourOf, isPlain, MethodBehaviour } from './sandbox-methods.js';
import { asGatewayError, failingSide, serverError } from './sandbox-failures.js';
import type { SandboxFaults, ScriptedEffect, ScriptedOperation } from './sandbox-faults.js';
import { toChargeResult, toKnownRefund, toLedgerCharge, toRefundResult } from './sandbox-mapping.js';
import { SandboxSettings } from './sandbox-settings.service.js';
import { SIGNATURE_HEADER, verifySignature } from './sandbox-signature.js';

const LEDGER_PAGE = 1_000;
const EARLY_CALLBACK_MS = 1_000;
const SLOW_MS = 2_000;
/** What a scripted decline turns any method into. */
const DECLINING = 'pm_card_chargeDeclined';

/**
 * The connection to the sandbox. Latency, lost answers and errors happen here, around a ledger that is always right.
 */
export class SandboxGateway implements PaymentGateway {
  readonly provider = 'sandbox';
  private pagesUrl = '';

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly settings: SandboxSettings,
    private readonly callbacks: SandboxCallbacksJob,
    private readonly authorizations: SandboxAuthorizations,
    private readonly authenticationMs: number,
  ) {}

  /** Known once the service listens: where callbacks go, and where the customer's browser finds the page. */
  setUrls({ callbacks, pages = callbacks }: { callbacks: string; pages?: string }): void {
    this.pagesUrl = pages.replace(/\/+$/, '');
    this.callbacks.setBaseUrl(callbacks);
  }

  /** The sandbox never forgets a key, unless a fault says so. */
  get keyMemoryMs(): number | undefined {
    const { keyMemoryMs } = this.settings.currentFaults;
    return keyMemoryMs === 0 ? undefined : keyMemoryMs;
  }

  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult> {
    const behaviour = behaviourOf(request.method);
    const plainly = async () => this.toResult(await this.ledger.charge(this.newCharge(request, behaviour)));
    const behaved = (effect?: ScriptedEffect) =>
      this.chargeBehaved(request, effect === 'decline' ? behaviourOf(DECLINING) : behaviour, signal);
    const charge =
      isPlain(behaviour) && this.settings.arePlain ? plainly : () => this.scripted('charge', behaved, signal);
    return bounded(charge, signal).catch(asGatewayError);
  }

  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult> {
    const refund = () => this.refundBehaved(request);
    return bounded(() => this.scripted('refund', refund, signal), signal).catch(asGatewayError);
  }

  async retrieveCharge(transactionId: string, signal: AbortSignal): Promise<KnownCharge | undefined> {
    const charge = await bounded(() => this.ledger.findById(transactionId), signal).catch(asGatewayError);
    return charge && this.toKnown(charge);
  }

  async retrieveRefund(refundId: string, signal: AbortSignal): Promise<KnownRefund | undefined> {
    const refund = await bounded(() => this.ledger.findRefundById(refundId), signal).catch(asGatewayError);
    return refund && toKnownRefund(refund);
  }

  async lookupCharge(request: ChargeLookup, signal: AbortSignal): Promise<ChargeResult | undefined> {
    const find = async () => {
      await this.settings.refreshed(); // keyMemoryMs must be as fresh as the answer
      return this.ledger.find(request.idempotencyKey);
    };
    const charge = await bounded(() => this.scripted('lookup', find, signal), signal).catch(asGatewayError);
    return charge && this.toResult(charge);
  }

  async lookupRefund(
    { transactionId, idempotencyKey }: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined> {
    const find = () => this.ledger.findRefund(transactionId, idempotencyKey);
    const refund = await bounded(find, signal).catch(asGatewayError);
    return refund && toRefundResult(refund);
  }

  captureCharge(request: CaptureRequest, signal: AbortSignal): Promise<KnownCharge> {
    const capture = () => this.authorizations.capture(request, this.settings.currentFaults.everyCallback);
    return this.change('capture', capture, signal);
  }

  cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<KnownCharge> {
    return this.change('void', () => this.cancel(request.transactionId), signal);
  }

  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): CallbackEvent {
    verifySignature(rawBody, headers[SIGNATURE_HEADER], this.settings.webhookSecret);
    return toWebhookEvent(rawBody);
  }

  /** Pages by id, which begins with its time. A charge that commits late may sort before a page already read. */
  async *listCharges(since: Date, signal: AbortSignal): AsyncGenerator<readonly LedgerCharge[]> {
    const first = firstIdAt('ch', since.getTime());
    const made = pagesOf((after, limit) => this.ledger.page(after, limit), first, signal);
    for await (const page of made) yield page.map(toLedgerCharge);
    const changed = pagesOf((after, limit) => this.ledger.changedPage(since, first, after, limit), '', signal);
    for await (const page of changed) yield page.map(toLedgerCharge);
  }

  async *listFailedRefunds(since: Date, signal: AbortSignal): AsyncGenerator<readonly KnownRefund[]> {
    const failed = pagesOf((after, limit) => this.ledger.failedRefundsPage(since, after, limit), '', signal);
    for await (const page of failed) yield page.map(toKnownRefund);
  }

  /** A call that changes a charge which is there already. */
  private async change(
    operation: 'capture' | 'void',
    work: () => Promise<Charge | undefined>,
    signal: AbortSignal,
  ): Promise<KnownCharge> {
    const behaved = async () => {
      const { captureErrorRate, chargeLatencyMs } = this.settings.currentFaults;
      const failure = failingSide(captureErrorRate);
      if (chargeLatencyMs > 0) await delay(chargeLatencyMs);
      if (failure === 'before') throw serverError();
      const charge = await work();
      if (failure === 'after') throw serverError();
      return charge;
    };
    const charge = await bounded(() => this.scripted(operation, behaved, signal), signal).catch(asGatewayError);
    if (!charge) throw new GatewayRequestError('the provider knows no such charge');
    return this.toKnown(charge);
  }

  /** A processing charge cannot be cancelled: as at real providers, only one that waits for somebody can. */
  private async cancel(id: string): Promise<Charge | undefined> {
    const found = await this.ledger.findById(id);
    if (!found || (found.state === 'PENDING' && behaviourOf(found.method).isProcessing)) return found;
    const charge = found.state === 'PENDING' ? await this.ledger.endPending(id, { state: 'CANCELLED' }) : found;
    if (charge?.state !== 'AUTHORIZED') return charge;
    return this.authorizations.void(id, this.settings.currentFaults.everyCallback);
  }

  /** A call as the script has it, if there is one: a lost answer is lost after the work, or before it. */
  private async scripted<T>(
    operation: ScriptedOperation,
    work: (effect?: ScriptedEffect) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const refreshing = this.settings.refreshed();
    if (refreshing) await refreshing;
    const effect = await this.settings.takeScripted(operation);
    if (effect === 'error') throw serverError();
    if (effect === 'timeout') return neverAnswers(signal);
    const result = await work(effect);
    if (effect === 'error-after') throw serverError();
    if (effect === 'timeout-after') return neverAnswers(signal);
    if (effect === 'slow') await delay(SLOW_MS);
    return result;
  }

  private async chargeBehaved(
    request: ChargeRequest,
    behaviour: MethodBehaviour,
    signal: AbortSignal,
  ): Promise<ChargeResult> {
    const arrivedAt = performance.now();
    const refreshing = this.settings.refreshed();
    if (refreshing) await refreshing;
    const charge = this.newCharge(request, behaviour);
    const faults = this.settings.currentFaults;
    const failure = failingSide(faults.chargeErrorRate);
    if (faults.chargeLatencyMs > 0) await delay(faults.chargeLatencyMs);
    if (faults.keyMemoryMs > 0) await this.ledger.forgetKey('charge', charge.key, faults.keyMemoryMs, arrivedAt);
    if (behaviour.neverAnswers === 'before-charge') return neverAnswers(signal);
    if (failure === 'before') throw serverError();
    if (behaviour.serverErrors && (await this.ledger.isServerErrorDue(charge.key, behaviour.serverErrors))) {
      throw serverError();
    }
    const outcome = await this.chargeAnnounced(charge);
    if (failure === 'after') throw serverError();
    if (behaviour.neverAnswers === 'after-charge') return neverAnswers(signal);
    if (behaviour.answersAfterMs) await delay(behaviour.answersAfterMs);
    return this.toResult(outcome);
  }

  private async chargeAnnounced(charge: NewCharge): Promise<ChargeOutcome> {
    const faults = this.settings.currentFaults;
    if (!faults.everyCallback && !faults.earlyCallbacks) {
      const outcome = await this.ledger.charge(charge);
      if (outcome.state === 'PENDING') this.callbacks.wake();
      return outcome;
    }
    const outcome = await this.ledger.chargeAndAnnounce(charge);
    if (faults.earlyCallbacks) await Promise.race([this.callbacks.runNow(), delay(EARLY_CALLBACK_MS)]);
    return outcome;
  }

  private async refundBehaved(request: RefundRequest): Promise<RefundResult> {
    const arrivedAt = performance.now();
    await this.settings.refreshed();
    const faults = this.settings.currentFaults;
    const failure = failingSide(faults.refundErrorRate);
    if (failure === 'before') throw serverError();
    if (faults.keyMemoryMs > 0)
      await this.ledger.forgetKey('refund', request.idempotencyKey, faults.keyMemoryMs, arrivedAt);
    const manner = { isAnnounced: faults.everyCallback, lateFailureMs: faults.lateFailureMs };
    const outcome = await this.ledger.refund(request, manner);
    if (failure === 'after') throw serverError();
    return toRefundResult(outcome);
  }

  private newCharge(request: ChargeRequest, behaviour: MethodBehaviour): NewCharge {
    const { idempotencyKey: key, orderId, amount, currency, method, returnUrl, capture } = request;
    const known = { id: sandboxId('ch'), key, orderId, amount, currency, method, state: behaviour.outcome };
    const named = returnUrl === undefined ? known : { ...known, returnUrl };
    const charge = capture === 'manual' ? authorizedFirst(named, this.settings.currentFaults) : named;
    if (behaviour.declineCode !== undefined) return { ...charge, declineCode: behaviour.declineCode };
    if (behaviour.isProcessing) return { ...charge, dueInMs: this.settings.currentFaults.processingMs };
    // A browser that is to come back belongs to a person, who decides. Otherwise nobody might, and it approves itself.
    const isUnattended = charge.state === 'PENDING' && returnUrl === undefined && this.authenticationMs > 0;
    return isUnattended ? { ...charge, dueInMs: this.authenticationMs } : charge;
  }

  private toResult(charge: ChargeOutcome): ChargeResult {
    return toChargeResult(charge, `${this.pagesUrl}/v1/sandbox/authentications/${charge.id}`);
  }

  private toKnown(charge: Charge): KnownCharge {
    return { ...toLedgerCharge(charge), result: this.toResult(charge) };
  }
}

/** Pages in the order of ids, starting after `first`. */
async function* pagesOf<T extends { id: string }>(
  read: (after: string, limit: number) => Promise<readonly T[]>,
  first: string,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  for (let after = first; ;) {
    const page = await bounded(() => read(after, LEDGER_PAGE), signal).catch(asGatewayError);
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < LEDGER_PAGE) return;
    after = last.id;
  }
}

function authorizedFirst<C extends { readonly state: MethodBehaviour['outcome'] }>(
  charge: C,
  { authorizationMs }: SandboxFaults,
): Omit<C, 'state'> & Pick<NewCharge, 'state' | 'authorizationMs'> {
  return { ...charge, authorizationMs, state: charge.state === 'CAPTURED' ? 'AUTHORIZED' : charge.state };
}
