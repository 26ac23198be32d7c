import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type SkuListInput, toFilter, toSkuPage } from './sku.dto.js';
import type { Sku } from './sku.js';

const compress = promisify(gzip);
/** Less is not worth the work. */
const MIN_COMPRESSED_CHARS = 4_096;
/** Of one snapshot: whole, only what is available, and some pages. What else is asked for is made anew each time. */
const MAX_PAGES = 16;

export interface GroupChanges {
  readonly items: readonly Sku[];
  readonly removed: readonly string[];
}

/** A page as it leaves, made once for all who ask for it. */
export class RenderedPage {
  readonly etag: string;
  private packed: Promise<Buffer> | undefined;

  constructor(readonly text: string) {
    this.etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  }

  /** Undefined where it is too short. */
  compressed(): Promise<Buffer> | undefined {
    if (this.text.length < MIN_COMPRESSED_CHARS) return undefined;
    return (this.packed ??= compress(this.text));
  }
}

/** All SKUs of a group as they were at one moment, by name. */
export class GroupSnapshot {
  private readonly byName: ReadonlyMap<string, Sku>;
  private readonly pages = new Map<string, RenderedPage>();
  private named: string | undefined;

  constructor(readonly skus: readonly Sku[]) {
    this.byName = new Map(skus.map((sku) => [sku.sku, sku]));
  }

  /** Names what is in it: two snapshots of the same have the same name. */
  get name(): string {
    this.named ??= hash('sha256', JSON.stringify(this.skus), 'base64url').slice(0, 22);
    return this.named;
  }

  has(sku: string): boolean {
    return this.byName.has(sku);
  }

  page(input: SkuListInput): RenderedPage {
    const { isAvailable, after, limit } = toFilter(input);
    const key = `${isAvailable} ${limit} ${after}`;
    const known = this.pages.get(key);
    if (known) return known;
    // By place rather than by comparison: the database sorts by its own collation.
    const rest = after === '' ? this.skus : this.skus.slice(this.skus.findIndex(({ sku }) => sku === after) + 1);
    const wanted = isAvailable ? rest.filter(({ onHand, reserved }) => onHand > reserved) : rest;
    const page = new RenderedPage(JSON.stringify(toSkuPage(wanted, limit)));
    if (this.pages.size < MAX_PAGES) this.pages.set(key, page);
    return page;
  }

  since(before: GroupSnapshot): GroupChanges {
    if (before.name === this.name) return { items: [], removed: [] };
    return {
      items: this.skus.filter((sku) => !isSame(before.byName.get(sku.sku), sku)),
      removed: before.skus.filter(({ sku }) => !this.byName.has(sku)).map(({ sku }) => sku),
    };
  }
}

function isSame(before: Sku | undefined, now: Sku): boolean {
  return before?.version === now.version && before.onHand === now.onHand && before.reserved === now.reserved;
}
