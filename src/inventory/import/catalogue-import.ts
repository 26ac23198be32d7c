import type { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Sku, SkuData } from '../sku/sku.js';
import type { SkuRepository } from '../sku/sku.repository.js';
import { ImportRow, RejectedRow } from './import-row.dto.js';

const BATCH = 1_000;
const ACTOR = 'import';

export interface ImportCounts {
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

interface ValidRow {
  readonly line: number;
  readonly data: SkuData;
}

/**
 * Writes SKUs in batches. Importing a file twice changes nothing: existing stock is never touched, and a row that
 * equals the stored data is not even locked.
 */
export class CatalogueImport {
  readonly counts: ImportCounts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  private batch = new Map<string, ValidRow>();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly skus: SkuRepository,
    private readonly reject: (row: RejectedRow) => void | Promise<void>,
  ) {}

  async add(row: ImportRow): Promise<void> {
    if (!('data' in row)) return this.refuse(row);
    // A statement cannot write a row twice, and of two rows for one SKU the later one wins.
    if (this.batch.has(row.data.sku)) await this.flush();
    this.batch.set(row.data.sku, row);
    if (this.batch.size >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = [...this.batch.values()];
    this.batch = new Map();
    if (rows.length === 0) return;
    const { created, changed, refused } = await this.transactions.run((tx) => this.write(tx, rows));
    this.counts.created += created;
    this.counts.changed += changed;
    this.counts.unchanged += rows.length - created - changed - refused.length;
    for (const { line, data } of refused) {
      await this.refuse({ line, reason: 'currency: cannot change while units are reserved', row: data });
    }
  }

  private async write(tx: Tx, rows: readonly ValidRow[]) {
    const existing = await this.skus.find(
      tx,
      rows.map(({ data }) => data.sku),
    );
    const fresh = rows.filter(({ data }) => !existing.has(data.sku)).map(({ data }) => data);
    const created = fresh.length === 0 ? [] : await this.skus.insertNew(tx, fresh, ACTOR);
    const different = rows.filter(({ data }) => isDifferent(existing.get(data.sku), data));
    if (different.length === 0) return { created: created.length, changed: 0, refused: [] };
    const locked = await this.skus.lock(
      tx,
      different.map(({ data }) => data.sku),
    );
    const refused = different.filter(({ data }) => isPinnedToCurrency(locked.get(data.sku), data));
    const changed = await this.skus.update(
      tx,
      different.map(({ data }) => data),
    );
    return { created: created.length, changed: changed.length, refused };
  }

  private async refuse(row: RejectedRow): Promise<void> {
    this.counts.rejected += 1;
    await this.reject(row);
  }
}

function isDifferent(sku: Sku | undefined, data: SkuData): boolean {
  if (!sku) return false;
  return (
    sku.name !== data.name ||
    sku.unitAmount !== data.unitAmount ||
    sku.currency !== data.currency ||
    sku.group !== data.group ||
    sku.row !== data.row ||
    sku.number !== data.number ||
    sku.maxPerCustomer !== data.maxPerCustomer
  );
}

function isPinnedToCurrency(sku: Sku | undefined, data: SkuData): boolean {
  return sku !== undefined && sku.currency !== data.currency && sku.reserved > 0;
}
