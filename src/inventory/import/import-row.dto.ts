import { z } from 'zod';
import { skuIdSchema } from '../../platform/http/fields.js';
import { skuSchema, toSkuData } from '../sku/sku.dto.js';
import type { SkuData } from '../sku/sku.js';
import type { RawRow } from './row-parser.js';

const rowSchema = z.strictObject({ sku: skuIdSchema, ...skuSchema.shape });

export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  readonly row: unknown;
}

export type ImportRow = { readonly line: number; readonly data: SkuData } | RejectedRow;

export function toImportRow(raw: RawRow): ImportRow {
  const { line, value } = raw;
  if ('error' in raw) return { line, reason: raw.error, row: value };
  const parsed = rowSchema.safeParse(value);
  if (parsed.success) {
    const { sku, ...input } = parsed.data;
    return { line, data: toSkuData(sku, input) };
  }
  const reason = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'row'}: ${issue.message}`).join('; ');
  return { line, reason, row: value };
}

/** CSV has only text: an empty field counts as absent, and digits are a number. */
export function fromCsv(raw: RawRow): RawRow {
  if ('error' in raw || typeof raw.value !== 'object' || raw.value === null) return raw;
  const fields = Object.entries(raw.value as Record<string, string>).filter(([, text]) => text.trim() !== '');
  return { line: raw.line, value: Object.fromEntries(fields.map(([name, text]) => [name, typed(name, text.trim())])) };
}

const NUMBERS: ReadonlySet<string> = new Set(['unitAmount', 'onHand', 'number', 'maxPerCustomer']);

function typed(name: string, text: string): string | number {
  return NUMBERS.has(name) && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
