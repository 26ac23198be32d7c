import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The code blocks of a page in one language, as a reader would copy them. */
export function programsOf(page: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^```(\w+)\n(.*?)^```/gms);
  return [...blocks].filter(([, name]) => name === language).map(([, , code = '']) => code);
}
