import type { CommandKind } from './ledger.js';
import type { Random } from './random.js';

/** What is remembered of an order that was confirmed. */
export interface Sale {
  readonly orderId: string;
  readonly total: number;
  readonly hasCredit: boolean;
  /** What can be captured of it: nothing where the card was charged at once. */
  readonly authorized: number;
}

/** Asks for something about an order until there is an answer. */
type Insist = (kind: CommandKind, orderId: string, path: string, body: object) => Promise<unknown>;

/** The shop's own people: they capture, refund and cancel what was sold, and sometimes get in each other's way. */
export class Staff {
  private readonly sales: Sale[] = [];
  private readonly unshipped: Sale[] = [];

  constructor(
    private readonly random: Random,
    private readonly insist: Insist,
  ) {}

  sold(sale: Sale): void {
    this.sales.push(sale);
    if (sale.authorized > 0) this.unshipped.push(sale);
  }

  async cancel(): Promise<void> {
    const [sale] = this.sales.splice(this.random.integer(0, this.sales.length), 1);
    if (sale) await this.insist('cancel', sale.orderId, 'cancel', {});
  }

  async refund(): Promise<void> {
    if (this.sales.length === 0) return;
    const { orderId, total, hasCredit } = this.random.pick(this.sales);
    const amount = this.random.chance(0.3) || total === 0 ? {} : { amount: this.random.integer(1, total) };
    const to = hasCredit && this.random.chance(0.3) ? { to: 'credit' } : {};
    await this.insist('refund', orderId, 'refunds', { ...amount, ...to, reason: 'chaos' });
  }

  /** In full or in part; sometimes two at once, and sometimes while somebody cancels the order. */
  async capture(): Promise<void> {
    const [sale] = this.unshipped.splice(this.random.integer(0, this.unshipped.length), 1);
    if (!sale) return;
    const { orderId, authorized } = sale;
    const captures = Array.from({ length: this.random.chance(0.3) ? 2 : 1 }, () => {
      const amount = this.random.chance(0.5) ? {} : { amount: this.random.integer(1, authorized) };
      return this.insist('capture', orderId, 'capture', { ...amount, reason: 'chaos' });
    });
    const cancellation = this.random.chance(0.25) ? [this.insist('cancel', orderId, 'cancel', {})] : [];
    await Promise.all([...captures, ...cancellation]);
  }
}
