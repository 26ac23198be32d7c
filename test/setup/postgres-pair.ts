import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { RunningPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { eventually } from './eventually.js';

export interface PostgresPair {
  readonly primary: RunningPostgres;
  readonly standby: RunningPostgres;
  /** Until the standby has all that was committed, a commit does not return. */
  replicateSynchronously(): Promise<void>;
  promoteStandby(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  wal_level: 'replica',
  max_wal_senders: '4',
};

/** A primary and a hot standby of it, both real. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-pair-'));
  chmodSync(directory, 0o755);
  const primary = await startEmbeddedPostgres(path.join(directory, 'primary'), { settings: SETTINGS });
  await copyCluster(primary.url, path.join(directory, 'primary'), path.join(directory, 'standby'));
  const { username, password, hostname, port } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  const standby = await startEmbeddedPostgres(path.join(directory, 'standby'), {
    settings: { ...SETTINGS, primary_conninfo: source },
  });
  return {
    primary,
    standby,
    replicateSynchronously: async () => {
      await once(primary.url, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
      await once(primary.url, `SELECT pg_reload_conf()`);
      await eventually('a synchronous standby', async () => {
        const rows = await once(primary.url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
        return rows.length > 0 || undefined;
      });
    },
    promoteStandby: async () => {
      await once(standby.url, `SELECT pg_promote(true, 60)`);
    },
    stop: async () => {
      thaw(primary.pid);
      thaw(standby.pid);
      await Promise.all([standby.stop(), primary.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** SIGSTOP to a server and all its processes: its sockets stay open, and nothing answers. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP'); // first, so that it starts no more of them
  for (const child of childrenOf(pid)) signal(child, 'SIGSTOP');
}

export function thaw(pid: number): void {
  for (const child of childrenOf(pid)) signal(child, 'SIGCONT');
  signal(pid, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return; // it has ended
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** pg_basebackup is not among the binaries: its protocol is two functions and a copy. */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SELECT pg_backup_start('standby', true)`);
  cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('postmaster.pid') });
  const { rows } = await client.query<{ labelfile: string }>(`SELECT labelfile FROM pg_backup_stop(false)`);
  await client.end();
  writeFileSync(path.join(to, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(path.join(to, 'standby.signal'), '');
  const { uid, gid } = statSync(from);
  giveTo(to, uid, gid);
  chmodSync(to, 0o700);
}

function giveTo(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true })) chownSync(path.join(folder, String(entry)), uid, gid);
}

async function once(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
