import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../dist/web');

/** Bytes of all that a page can load, as it goes over the wire. */
export function weightOf(page: 'shop' | 'console'): number {
  const folder = path.join(FOLDER, page);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|css|html|svg)$/.test(name),
  );
  return names.reduce((sum, name) => sum + compressed(path.join(folder, name)), 0);
}

/** What the index names: all that the first view needs. */
export function firstViewWeightOf(page: 'shop' | 'console'): number {
  const index = path.join(FOLDER, page, 'index.html');
  const named = [...readFileSync(index, 'utf8').matchAll(new RegExp(`/${page}/(assets/[\\w.-]+\\.(?:js|css))`, 'g'))];
  return named.reduce((sum, [, name]) => sum + compressed(path.join(FOLDER, page, name!)), compressed(index));
}

function compressed(file: string): number {
  return (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size;
}
