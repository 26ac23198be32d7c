import { Injectable, Logger } from '@nestjs/common';
import { firstIdOf } from '../../common/id.js';
import { PacedReading } from '../../platform/metrics/paced-reading.js';
import { statement } from '../../platform/postgres/statement.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { HotSkus } from './overview.dto.js';

interface HotRow {
  readonly sku: string;
  readonly name: string | null;
  readonly onHand: number | null;
  readonly reserved: number | null;
  readonly orders: number;
  readonly soldUnits: number;
  readonly refused: number;
  readonly lockWaitP99Ms: number | null;
  readonly spanSeconds: number;
  readonly read: number;
}

const WINDOW_SECONDS = 300;
const MAX_ORDERS = 2_000;
const MAX_SKUS = 20;

/**
 * Computed from the newest orders and the logs of their sagas, which contain the waits for locks: nothing is counted
 * per SKU while nobody looks. If there are more orders than it reads, the newest ones represent all.
 */
const HOT = statement(
  'overview.hot-skus',
  `WITH recent AS (
     SELECT orders.state, orders.lines, orders.created_at,
       (SELECT (regexp_match(log_lines, '"lockWaitMs":([0-9]+)'))[1]::int FROM sagas WHERE sagas.id = orders.saga_id) AS wait_ms
     FROM orders WHERE id >= $1 ORDER BY id DESC LIMIT ${MAX_ORDERS}
   ), wanted AS (
     SELECT line ->> 'sku' AS sku, count(*)::int AS orders,
       coalesce(sum((line ->> 'quantity')::int) FILTER (WHERE state IN ('CONFIRMED', 'CANCELLED')), 0)::int AS sold,
       count(*) FILTER (WHERE state = 'REJECTED')::int AS refused,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY coalesce(wait_ms, 0)) AS wait_ms
     FROM recent, jsonb_array_elements(lines) AS line GROUP BY 1 ORDER BY 3 DESC, 2 DESC LIMIT ${MAX_SKUS}
   )
   SELECT wanted.sku, name, on_hand AS "onHand", reserved, orders, sold AS "soldUnits", refused, wait_ms AS "lockWaitP99Ms",
     extract(epoch FROM now() - (SELECT min(created_at) FROM recent))::float8 AS "spanSeconds", (SELECT count(*)::int FROM recent) AS read
   FROM wanted LEFT JOIN skus ON skus.sku = wanted.sku ORDER BY sold DESC, orders DESC, wanted.sku`,
);

/** The SKUs that sell now, and how long their stock will last. */
@Injectable()
export class HotSkusService {
  private readonly logger = new Logger(HotSkusService.name);
  private readonly reading: PacedReading<HotSkus>;

  constructor(private readonly transactions: TransactionRunner) {
    this.reading = new PacedReading(
      () => this.read(),
      (reason) => this.logger.warn(`the hot SKUs could not be read: ${reason}`),
    );
  }

  async latest(): Promise<HotSkus> {
    return (await this.reading.latest()) ?? this.read();
  }

  private async read(): Promise<HotSkus> {
    const since = firstIdOf(Date.now() - WINDOW_SECONDS * 1_000);
    const rows = await this.transactions.survey((tx) => tx.query<HotRow>(HOT, [since]));
    const [first] = rows;
    const isFull = first !== undefined && first.read === MAX_ORDERS;
    const seconds = isFull ? Math.max(1, Math.min(WINDOW_SECONDS, first.spanSeconds)) : WINDOW_SECONDS;
    return { seconds: Math.round(seconds), items: rows.map((row) => toItem(row, seconds)) };
  }
}

function toItem(row: HotRow, seconds: number): HotSkus['items'][number] {
  const { sku, name, orders, soldUnits, refused, lockWaitP99Ms } = row;
  const held = row.reserved ?? 0;
  const available = Math.max(0, (row.onHand ?? 0) - held);
  const perSecond = soldUnits / seconds;
  return {
    ...{ sku, name: name ?? sku, available, held, orders, soldUnits, refused, lockWaitP99Ms },
    soldPerMinute: Math.round(perSecond * 600) / 10,
    sellsOutInSeconds: available === 0 ? 0 : perSecond === 0 ? null : Math.round(available / perSecond),
  };
}
