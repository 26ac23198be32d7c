import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { SkuService } from '../inventory/sku/sku.service.js';
import type { Operator } from '../platform/audit-trail/operator.js';
import { DatabaseClock } from '../platform/postgres/database-clock.js';
import type { SaleInput, SaleResponse } from '../sales/sale.dto.js';
import { SaleService } from '../sales/sale.service.js';

const PREFIX = 'demo-drop-';
const ACTOR = 'demo';
const OPERATOR: Operator = { actor: ACTOR, reason: 'the drop of the demo' };
const UNITS = 12;
const UNIT_AMOUNT = 6_500;
const STARTS_AFTER_MS = 15_000;
/** A sale that is on costs a look each second: one that everybody has left must not go on for ever. */
const LASTS_MS = 10 * 60_000;

/** A flash sale that can be played as often as somebody likes: each has a name, a print and a stock of its own. */
@Injectable()
export class DemoDropService {
  constructor(
    private readonly sales: SaleService,
    private readonly skus: SkuService,
    private readonly clock: DatabaseClock,
  ) {}

  async open(): Promise<SaleResponse> {
    const latest = await this.latest();
    if (latest && latest.state !== 'SOLD_OUT' && latest.state !== 'ENDED') return latest;
    if (latest?.state === 'SOLD_OUT') await this.end(latest.id);
    return this.create(latest ? Number(latest.id.slice(PREFIX.length)) + 1 : 1);
  }

  /** Two calls at once make the same one: its name follows from the one before. */
  private async create(number: number): Promise<SaleResponse> {
    const id = `${PREFIX}${String(number).padStart(4, '0')}`;
    const print = { name: `Night heron, print ${number}`, unitAmount: UNIT_AMOUNT, currency: 'EUR', onHand: UNITS };
    await this.skus.put(`${id}:print`, { ...print, group: id }, undefined, ACTOR);
    const { body } = await this.sales.put(id, this.terms(id), OPERATOR);
    return body as SaleResponse;
  }

  private terms(group: string): SaleInput {
    const startsAt = this.clock.now().getTime() + STARTS_AFTER_MS;
    return {
      group,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(startsAt + LASTS_MS).toISOString(),
      admitPerSecond: 0.5,
      maxActive: 4,
      ticketTtlSeconds: 45,
    };
  }

  private async latest(): Promise<SaleResponse | undefined> {
    let found: SaleResponse | undefined;
    for (let cursor: string | null = PREFIX; cursor?.startsWith(PREFIX);) {
      const { items, nextCursor } = await this.sales.list({ cursor, limit: 100 });
      found = items.findLast(({ id }) => id.startsWith(PREFIX)) ?? found;
      cursor = nextCursor;
    }
    return found;
  }

  private async end(id: string): Promise<void> {
    try {
      await this.sales.apply(id, 'end', OPERATOR);
    } catch (error) {
      const wasEnded = error instanceof DomainError && error.code === 'INVALID_STATE'; // by another call
      if (!wasEnded) throw error;
    }
  }
}
