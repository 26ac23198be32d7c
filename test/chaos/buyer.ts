import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../setup/app-process.js';
import { HttpAnswer, HttpRequest, sendHttp } from './http-client.js';
import { ClientLedger, Command, CommandKind, Final, finalOf, isFinal, trouble } from './ledger.js';
import type { Purse } from './purse.js';
import { Random } from './random.js';
import { Staff } from './staff.js';

/** The key that replaces another one. */
const rotated = (key: string) => `the-next-${key}`;
const rotating = (key: string) => `chaos=${key},chaos=${rotated(key)}`;
export const ROTATING_KEYS = {
  ADMIN_API_KEY: rotating(KEYS.ADMIN_API_KEY),
  STOREFRONT_API_KEY: rotating(KEYS.STOREFRONT_API_KEY),
};

export const SKUS = Array.from({ length: 12 }, (_, i) => `chaos-${i + 1}`);

const METHODS = [
  ['pm_card_visa', 55],
  ['pm_card_chargeDeclined', 7],
  ['pm_card_chargeDeclinedInsufficientFunds', 4],
  ['pm_card_authenticationRequired', 9],
  ['pm_sandbox_timeout_after_charge', 4],
  ['pm_sandbox_timeout_before_charge', 3],
  ['pm_sandbox_slow', 4],
  ['pm_sandbox_error', 7],
  ['pm_sandbox_refund_fails', 7],
  // Processed for longer than the provider remembers keys.
  ['pm_sandbox_processing', 5],
  // Its refund settles, and fails after that.
  ['pm_sandbox_refund_fails_late', 12],
] as const;

const REQUEST_TIMEOUT_MS = 9_000;
const WAIT_SECONDS = 5;

/** When to stop beginning anew, and when to give up even what was begun. */
export interface Hours {
  isOpen(): boolean;
  isOver(): boolean;
}

/** A customer (and the shop's own staff) who never gives up: whatever goes wrong, the same key is sent again. */
export class Buyer {
  private sequence = 0;
  private readonly staff: Staff;

  constructor(
    private readonly name: string,
    private readonly port: number,
    private readonly random: Random,
    private readonly ledger: ClientLedger,
    private readonly hours: Hours,
    private readonly purse: Purse,
  ) {
    this.staff = new Staff(random, (kind, orderId, path, body) =>
      this.insist(kind, this.nextKey(), `/v1/orders/${orderId}/${path}`, body, 'admin', {}, orderId),
    );
  }

  async shop(): Promise<void> {
    while (this.hours.isOpen()) {
      await this.actOnce();
      await sleep(this.random.between(50, 700));
    }
  }

  private actOnce(): Promise<unknown> {
    const action = this.random.weighted([
      ['checkout', 62],
      ['hold', 18],
      ['capture', 12],
      ['cancel', 8],
      ['refund', 7],
      ['adjust', 5],
      ['enter', 3],
    ] as const);
    switch (action) {
      case 'checkout':
        return this.checkOut({ lines: this.lines() });
      case 'hold':
        return this.holdAndMaybeBuy();
      case 'cancel':
        return this.staff.cancel();
      case 'capture':
        return this.staff.capture();
      case 'refund':
        return this.staff.refund();
      case 'adjust':
        return this.adjust();
      case 'enter':
        return this.enter();
    }
  }

  private async checkOut(basket: object, headers: Record<string, string> = {}): Promise<void> {
    const key = this.nextKey();
    const body = {
      customer: { id: this.name },
      currency: 'EUR',
      ...this.purse.coupons(this.random),
      ...basket,
      payment: this.purse.payment(this.random, this.random.weighted(METHODS)),
      metadata: { key },
    };
    const final = await this.insist('checkout', key, '/v1/checkouts', body, 'storefront', headers);
    const order = final?.answer.body;
    if (final?.answer.status !== 201) return;
    const authorized = order.payment.state === 'AUTHORIZED' ? order.payment.amount : 0;
    this.staff.sold({ orderId: order.id, total: order.total, hasCredit: order.credit?.amount > 0, authorized });
  }

  private async holdAndMaybeBuy(): Promise<void> {
    const body = { currency: 'EUR', lines: this.lines(), ...this.purse.coupons(this.random) };
    const held = await this.insist('hold', this.nextKey(), '/v1/reservations', body, 'storefront');
    if (held?.answer.status !== 201) return;
    const { id, accessToken } = held.answer.body as { id: string; accessToken: string };
    const headers = { 'x-access-token': accessToken };
    await sleep(this.random.between(0, 1_500));
    const next = this.random.weighted([
      ['buy', 75],
      ['release', 15],
      ['forget', 10],
    ] as const);
    if (next === 'buy') await this.checkOut({ reservationId: id }, headers);
    if (next === 'release') {
      const request = this.request('DELETE', `/v1/reservations/${id}`, 'storefront', undefined, headers);
      await sendHttp(this.port, request).catch(() => undefined); // if it is lost, the hold expires
    }
  }

  private async adjust(): Promise<void> {
    const key = this.nextKey();
    const body = { delta: this.random.integer(-5, 25) || 1, reason: key };
    await this.insist('adjustment', key, `/v1/skus/${this.random.pick(SKUS)}/adjustments`, body, 'admin');
  }

  private async enter(): Promise<void> {
    const key = this.nextKey();
    const body = { amount: this.random.integer(-900, 1_500) || 1, reason: key };
    await this.insist('entry', key, `/v1/accounts/${this.purse.account(this.random)}/entries`, body, 'admin');
  }

  /** Sends until there is a final answer, then sometimes once more: a replay must tell the same. */
  private async insist(
    kind: CommandKind,
    key: string,
    path: string,
    body: unknown,
    scope: 'admin' | 'storefront',
    headers: Record<string, string> = {},
    orderId?: string,
  ): Promise<{ answer: HttpAnswer } | undefined> {
    const command = this.ledger.open(kind, key, path, body, orderId);
    const all = { 'idempotency-key': key, prefer: `wait=${WAIT_SECONDS}`, ...headers };
    const request = () => this.request('POST', path, scope, body, all);
    while (!this.hours.isOver()) {
      const answer = await this.tryOnce(command, request());
      if (answer) {
        if (this.random.chance(0.1)) await this.lookAgain(command, request());
        return { answer };
      }
      await sleep(this.random.between(50, 600));
    }
    return undefined;
  }

  private async tryOnce(command: Command, request: HttpRequest): Promise<HttpAnswer | undefined> {
    command.attempts += 1;
    try {
      const answer = await sendHttp(this.port, request);
      if (command.kind === 'checkout') command.orderId ??= answer.body?.orderId ?? orderIn(answer);
      if (isFinal(answer)) {
        command.finals.push(finalOf(answer));
        return answer;
      }
      trouble(command, `${answer.status} ${String(answer.body?.code ?? '')}`.trim());
      return await this.endedAsRejected(command, answer);
    } catch (error) {
      trouble(command, (error as NodeJS.ErrnoException).code ?? 'no answer');
      return undefined;
    }
  }

  /** A checkout that our side gave up says 503 for ever under its key; its order says that it is over. */
  private async endedAsRejected(command: Command, answer: HttpAnswer): Promise<HttpAnswer | undefined> {
    const orderId = answer.body?.orderId as string | undefined;
    if (command.kind !== 'checkout' || answer.status < 500 || orderId === undefined) return undefined;
    const look = await sendHttp(this.port, this.request('GET', `/v1/orders/${orderId}`, 'admin'));
    if (look.status !== 200 || look.body.state !== 'REJECTED') return undefined;
    command.finals.push({ status: answer.status, code: String(answer.body.code), orderId, resourceId: undefined });
    return answer;
  }

  private async lookAgain(command: Command, request: HttpRequest): Promise<void> {
    command.replays += 1;
    const again = await sendHttp(this.port, request).catch(() => undefined);
    if (again && isFinal(again)) command.finals.push(finalOf(again) satisfies Final);
  }

  private request(
    method: HttpRequest['method'],
    path: string,
    scope: 'admin' | 'storefront',
    body?: unknown,
    headers: Record<string, string> = {},
  ): HttpRequest {
    // In the middle of a rotation: a retry may come with the other key of the same client.
    const known = scope === 'admin' ? KEYS.ADMIN_API_KEY : KEYS.STOREFRONT_API_KEY;
    const key = this.random.chance(0.5) ? known : rotated(known);
    return { method, path, body, headers: { 'x-api-key': key, ...headers }, timeoutMs: REQUEST_TIMEOUT_MS };
  }

  private lines(): { sku: string; quantity: number }[] {
    const count = this.random.weighted([
      [1, 5],
      [2, 4],
      [3, 2],
    ] as const);
    const isHot = this.random.chance(0.3);
    const skus = this.random.shuffled(SKUS).slice(0, count);
    if (isHot && !skus.includes(SKUS[0]!)) skus[0] = SKUS[0]!;
    return skus.map((sku) => ({ sku, quantity: this.random.integer(1, 2) }));
  }

  private nextKey(): string {
    this.sequence += 1;
    return `${this.name}-${this.sequence}`;
  }
}

function orderIn(answer: HttpAnswer): string | undefined {
  return answer.status === 201 || answer.status === 202 ? (answer.body?.id as string | undefined) : undefined;
}
