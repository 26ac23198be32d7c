import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from './debian-package.js';
import { eventually } from './eventually.js';
import { openDatabase } from './test-database.js';

export interface DebianPostgres {
  /** Of a database by its name. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Whom PostgreSQL runs as: it refuses root. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The server of the distribution, which fits its pg_dump: the embedded one is newer, and brings none. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const binaries = path.dirname(requireProgram('pg_rewind', 'postgresql-15'));
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-debian-'));
  chmodSync(directory, 0o755);
  const data = path.join(directory, 'data');
  const as = postgresUser();
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, as.uid ?? -1, as.gid ?? -1);
  const run = { ...as, cwd: data, stdio: 'ignore' } as const;
  execFileSync(path.join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'], run);
  const port = await freePort();
  const flags = ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1', '-F'];
  const child = spawn(path.join(binaries, 'postgres'), flags, run);
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await eventually('a server', async () => {
    const database = openDatabase(url('postgres'));
    const isUp = await database.query('SELECT 1').then(
      () => true,
      () => false,
    );
    await database.close();
    return isUp;
  });
  return {
    url,
    stop: async () => {
      const end = once(child, 'exit');
      child.kill('SIGINT');
      await end;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
