import { existsSync, readFileSync } from 'node:fs';

/** Found from the sources and from `dist`, which is one folder deeper. */
const PLACES = ['../../../package.json', '../../../../package.json'];

/** The version of the code that runs. */
export const RELEASE = readRelease();

function readRelease(): string {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (!file) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
