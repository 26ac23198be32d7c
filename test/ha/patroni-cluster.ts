import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from '../setup/debian-package.js';
import { postgresUser } from '../setup/debian-postgres.js';
import { eventually } from '../setup/eventually.js';
import { freeze, thaw } from '../setup/postgres-pair.js';
import { openDatabase } from '../setup/test-database.js';

const PASSWORD = 'patroni';
const SCOPE = 'checkout';
/** The shortest with which a node on a machine that has too much to do is not taken for dead. */
const TTL_SECONDS = 10;

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** One host: Patroni and the PostgreSQL that it started. */
export class PatroniNode {
  private agent: ChildProcess | undefined;

  constructor(
    readonly name: string,
    readonly directory: string,
    readonly port: number,
    readonly apiPort: number,
    private readonly spawnAs: { uid?: number; gid?: number },
  ) {}

  get api(): string {
    return `http://127.0.0.1:${this.apiPort}`;
  }

  get url(): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  get dataDir(): string {
    return path.join(this.directory, 'data');
  }

  get log(): string {
    return path.join(this.directory, 'patroni.log');
  }

  start(): void {
    const log = openSync(this.log, 'a');
    this.agent = spawn(requireProgram('patroni', 'patroni'), [path.join(this.directory, 'patroni.yml')], {
      cwd: this.directory,
      stdio: ['ignore', log, log],
      ...this.spawnAs,
    });
  }

  /** As if the host had lost its power. */
  async kill(): Promise<void> {
    const postmaster = this.postmasterPid();
    const end = this.agent && this.isRunning ? once(this.agent, 'exit') : undefined;
    this.agent?.kill('SIGKILL');
    await end;
    if (postmaster === undefined) return;
    freeze(postmaster); // so that none of its processes does anything more
    this.killAll(postmaster);
    await eventually(`the end of ${this.name}`, () => !isProcess(postmaster));
  }

  /** As if the host were cut off: all its sockets stay open, and nothing answers. */
  freeze(): void {
    this.agent?.kill('SIGSTOP');
    const postmaster = this.postmasterPid();
    if (postmaster !== undefined) freeze(postmaster);
  }

  thaw(): void {
    const postmaster = this.postmasterPid();
    if (postmaster !== undefined) thaw(postmaster);
    this.agent?.kill('SIGCONT');
  }

  get isRunning(): boolean {
    return this.agent !== undefined && this.agent.exitCode === null && this.agent.signalCode === null;
  }

  /** A postmaster that is killed leaves children that end by themselves: here they end with it. */
  private killAll(postmaster: number): void {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        continue; // it has ended
      }
    }
  }

  private postmasterPid(): number | undefined {
    try {
      const pid = Number(readFileSync(path.join(this.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return isProcess(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

function isProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false;
  } catch {
    return false;
  }
}

/** Two PostgreSQL nodes under Patroni, with etcd as the referee, and synchronous replication between them. */
export class PatroniCluster {
  private constructor(
    readonly nodes: readonly PatroniNode[],
    private readonly etcd: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(): Promise<PatroniCluster> {
    requireProgram('etcd', 'etcd-server');
    requireProgram('patroni', 'patroni');
    const binaries = path.dirname(requireProgram('pg_rewind', 'postgresql-15'));
    const directory = mkdtempSync(path.join(tmpdir(), 'checkout-ha-'));
    chmodSync(directory, 0o755);
    const etcdPort = await freePort();
    const etcd = await startEtcd(directory, etcdPort);
    const spawnAs = postgresUser();
    const nodes: PatroniNode[] = [];
    for (const name of ['node0', 'node1']) {
      const node = new PatroniNode(name, path.join(directory, name), await freePort(), await freePort(), spawnAs);
      mkdirSync(node.directory, { mode: 0o700 });
      const file = path.join(node.directory, 'patroni.yml');
      writeFileSync(file, stringify(configuration(node, etcdPort, binaries)));
      for (const each of [node.directory, file]) chownSync(each, spawnAs.uid ?? -1, spawnAs.gid ?? -1);
      nodes.push(node);
    }
    const cluster = new PatroniCluster(nodes, etcd, directory);
    try {
      nodes[0]!.start();
      await eventually('a first primary', () => cluster.primary());
      nodes[1]!.start();
      await cluster.whole();
    } catch (error) {
      process.stderr.write(cluster.logs());
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  logs(): string {
    return this.nodes.map((node) => `--- ${node.name}\n${readFileSync(node.log, 'utf8').slice(-300_000)}`).join('\n');
  }

  /** Who takes writes, as a balancer would ask. */
  async primary(): Promise<PatroniNode | undefined> {
    for (const node of this.nodes) if ((await statusOf(`${node.api}/primary`)) === 200) return node;
    return undefined;
  }

  async leader(): Promise<PatroniNode> {
    return eventually('a primary', () => this.primary(), { withinMs: 120_000 });
  }

  async standby(): Promise<PatroniNode> {
    const leader = await this.leader();
    return this.nodes.find((node) => node !== leader)!;
  }

  /** Both nodes run, and the standby is a synchronous one: a failover would lose nothing. */
  async whole(): Promise<void> {
    await eventually(
      'a primary with a synchronous standby',
      async () => {
        const leader = await this.primary();
        const standby = this.nodes.find((node) => node !== leader);
        if (!leader || !standby || (await statusOf(`${standby.api}/sync`)) !== 200) return false;
        const { members } = (await get(`${leader.api}/cluster`)) as { members: readonly Member[] };
        if (!members.every(({ state }) => state === 'running' || state === 'streaming')) return false;
        return (await this.onPrimary(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).length > 0;
      },
      { withinMs: 180_000, everyMs: 200 },
    );
  }

  async onPrimary(sql: string): Promise<Record<string, unknown>[]> {
    const database = openDatabase((await this.leader()).url);
    try {
      return await database.query(sql);
    } catch {
      return []; // it has just ceased to be one
    } finally {
      await database.close();
    }
  }

  /** Strict: without a synchronous standby nothing is committed, also where Patroni could go on alone. */
  async setStrict(isStrict: boolean): Promise<void> {
    const { api } = await this.leader();
    const body = JSON.stringify({ synchronous_mode_strict: isStrict });
    await fetch(`${api}/config`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body });
    await this.whole();
  }

  /** By hand, as an operator who wants to restart the primary's host. */
  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const standby = this.nodes.find((node) => node !== leader)!;
    const body = JSON.stringify({ leader: leader.name, candidate: standby.name });
    const headers = { 'content-type': 'application/json' };
    await eventually('a switchover', async () => {
      const { status } = await fetch(`${leader.api}/switchover`, { method: 'POST', headers, body });
      return status === 200 || (await this.primary()) === standby;
    });
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) {
      node.thaw();
      await node.kill();
    }
    this.etcd.kill('SIGKILL');
    await delay(0);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function startEtcd(directory: string, port: number): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  const args = ['--data-dir', path.join(directory, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls'];
  args.push(client, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer);
  args.push('--initial-cluster', `default=${peer}`, '--enable-v2');
  const child = spawn(requireProgram('etcd', 'etcd-server'), args, { stdio: 'ignore' });
  await eventually('etcd', async () => (await statusOf(`${client}/health`)) === 200);
  return child;
}

function configuration(node: PatroniNode, etcdPort: number, binaries: string): object {
  return {
    scope: SCOPE,
    name: node.name,
    restapi: { listen: `127.0.0.1:${node.apiPort}`, connect_address: `127.0.0.1:${node.apiPort}` },
    // By etcd's API of version 2: with `etcd3` this Patroni (3.0) writes the leader's key without comparing, so that a primary
    // which was paused for longer than its lease takes the key back from the one that was promoted, which is then rewound.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 1,
        retry_timeout: 4,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          // Processes are killed, never the machine: fsync would only slow the run down.
          parameters: { fsync: 'off', max_connections: 200 },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.port}`,
      data_dir: node.dataDir,
      bin_dir: binaries,
      pgpass: path.join(node.directory, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: node.directory },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  return answer.json();
}
