import type { LockSignals } from '../../lock-driver.js';
import { type Change, decodeRecord, encodeRecord, type Versioned } from '../consensus/lock-record.js';
import type { CommitReply, ListedRecord, Notices, RecordStore } from '../consensus/record-store.js';
import { SESSION_TIMEOUT_MS } from '../consensus/session-timeout.js';
import { StoreClock } from '../consensus/store-clock.js';
import { type ZookeeperConnection, ZookeeperError } from './zookeeper-connection.js';
import * as messages from './zookeeper-messages.js';
import { ERROR, EVENT, type MultiPart, type Stat } from './zookeeper-messages.js';
import {
  bellPath,
  keyOfRecord,
  mailboxPath,
  PARENTS,
  processOf,
  RECORD_PARENTS,
  recordPath,
  waiterPath,
} from './zookeeper-names.js';
import { ZookeeperSession } from './zookeeper-session.js';
import { ZookeeperSweep } from './zookeeper-sweep.js';

const ANY_VERSION = -1;
const LIST_BUDGET_MS = 1_000;

/**
 * Records are nodes. A waiter has a node of its own, which the release that makes it the next one deletes in the same
 * commit: the deletion is its wake-up, and nobody else hears of it. What dies with the session are these nodes alone.
 */
export class ZookeeperStore implements RecordStore {
  readonly name = 'zookeeper';
  readonly clock = new StoreClock();
  /** Far below the megabyte that a request may have. */
  readonly maxKeys = 1_000;
  private readonly session: ZookeeperSession;
  private readonly sweep: ZookeeperSweep;
  private signals: LockSignals | undefined;
  /** Owners of this process that have a waiter's node, as far as we know. */
  private readonly waiters = new Set<string>();

  constructor(
    urls: readonly string[],
    private readonly processId: string,
  ) {
    this.session = new ZookeeperSession(urls, SESSION_TIMEOUT_MS, {
      prepare: (connection) => this.prepare(connection),
      ready: () => this.signals?.wake(), // events of the time without a connection are lost
      event: (type, path) => void this.receive(type, path),
    });
    this.sweep = new ZookeeperSweep(this.session, this.clock);
  }

  async start(signals: LockSignals): Promise<void> {
    this.signals = signals;
    this.sweep.start();
    await this.session.start();
  }

  stop(): Promise<void> {
    this.sweep.stop();
    return this.session.stop();
  }

  read(keys: readonly string[]): Promise<(Versioned | undefined)[]> {
    return Promise.all(keys.map((key) => this.readPath(recordPath(key))));
  }

  async readLatest(keys: readonly string[]): Promise<(Versioned | undefined)[]> {
    const [, records] = await Promise.all([this.session.request(messages.sync('/')), this.read(keys)]);
    return records;
  }

  async commit(changes: readonly Change[], notices: Notices): Promise<CommitReply> {
    const parts = changes.map(toPart);
    let news = this.newsOf(notices);
    for (;;) {
      const results = await this.session.request(messages.multi([...parts, ...news]));
      const failed = results.findIndex(({ error }) => error !== ERROR.none && error !== ERROR.runtimeInconsistency);
      if (failed < 0) {
        this.noteWaiter(notices);
        return { isDone: true, versions: results.slice(0, parts.length).map((result) => this.versionOf(result)) };
      }
      if (failed < parts.length) {
        const isOrphan = parts[failed]?.op === 'create' && results[failed]?.error === ERROR.noNode;
        if (isOrphan) await makeParents((message) => this.session.request(message));
        return { isDone: false };
      }
      // A waiter that is gone, or a node that is there already: the commit does not depend on it.
      const dropped = news[failed - parts.length];
      news = news.filter((part) => part !== dropped);
    }
  }

  /** Within a budget of time: an operator's view, never part of the hot path. */
  async list(limit: number): Promise<ListedRecord[]> {
    const over = performance.now() + LIST_BUDGET_MS;
    const found: ListedRecord[] = [];
    const [, ...names] = await Promise.all([
      this.session.request(messages.sync('/')),
      ...RECORD_PARENTS.map((parent) => this.session.request(messages.getChildren(parent))),
    ]);
    for (const [index, parent] of RECORD_PARENTS.entries()) {
      const children = names[index] ?? [];
      const records = await Promise.all(children.map((name) => this.readPath(`${parent}/${name}`)));
      for (const [at, name] of children.entries()) {
        const versioned = records[at];
        if (versioned?.record.state === 'held') found.push({ key: keyOfRecord(name), ...versioned });
      }
      if (found.length >= limit || performance.now() > over) break;
    }
    return found.slice(0, limit);
  }

  private async readPath(path: string): Promise<Versioned | undefined> {
    try {
      const { data, stat } = await this.session.request(messages.getData(path));
      return { record: decodeRecord(data), version: toVersion(stat) };
    } catch (error) {
      if (error instanceof ZookeeperError && error.code === ERROR.noNode) return undefined;
      throw error;
    }
  }

  private versionOf(result: messages.PartResult): string {
    const stat = 'stat' in result ? result.stat : undefined;
    if (!stat) return '';
    this.clock.observe(stat.modifiedMs * 1_000);
    return toVersion(stat);
  }

  /** Those that a commit concerns besides its records. */
  private newsOf({ woken, contended, joins, leaves }: Notices): MultiPart[] {
    const news: MultiPart[] = woken.map((owner) => ({ op: 'delete', path: waiterPath(owner), version: ANY_VERSION }));
    for (const owner of contended) {
      news.push({ op: 'setData', path: bellPath(processOf(owner)), data: owner, version: ANY_VERSION });
    }
    if (joins !== undefined && !this.waiters.has(joins)) {
      news.push({ op: 'create', path: waiterPath(joins), data: '', kind: 'ephemeral' });
    }
    if (leaves !== undefined && this.waiters.has(leaves)) {
      news.push({ op: 'delete', path: waiterPath(leaves), version: ANY_VERSION });
    }
    return news;
  }

  private noteWaiter({ joins, leaves }: Notices): void {
    if (joins !== undefined) this.waiters.add(joins);
    if (leaves !== undefined) this.waiters.delete(leaves);
  }

  private async receive(type: number, path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (type === EVENT.deleted) {
      this.waiters.delete(name);
      this.signals?.wake(name);
    } else if (type === EVENT.dataChanged && path === bellPath(this.processId)) {
      const bell = await this.session.request(messages.getData(path)).catch(() => undefined);
      if (bell) this.signals?.contend(bell.data);
    }
  }

  /** On every connection: the nodes that have to be there, the mailbox and its watch. */
  private async prepare(connection: ZookeeperConnection): Promise<void> {
    const bell = bellPath(this.processId);
    if (!(await exists(connection, PARENTS.at(-1) ?? ''))) await makeParents((message) => connection.send(message));
    await unlessThere(connection.send(messages.create(mailboxPath(this.processId), 'container')));
    await unlessThere(connection.send(messages.create(bell, 'ephemeral')));
    this.waiters.clear();
    const [ring] = await connection.send(messages.multi([{ op: 'setData', path: bell, data: '', version: -1 }]));
    if (ring) this.versionOf(ring); // shows the clock
    await connection.send(messages.addWatch(mailboxPath(this.processId)));
  }
}

function toPart({ key, version, record }: Change): MultiPart {
  const [path, data] = [recordPath(key), encodeRecord(record)];
  if (version === undefined) return { op: 'create', path, data, kind: 'persistent' };
  return { op: 'setData', path, data, version: Number(version.slice(0, version.indexOf(' '))) };
}

/** The number that ZooKeeper compares, and what no two writes have in common. */
function toVersion({ version, modifiedZxid }: Stat): string {
  return `${version} ${modifiedZxid.toString()}`;
}

async function exists(connection: ZookeeperConnection, path: string): Promise<boolean> {
  try {
    await connection.send(messages.exists(path));
    return true;
  } catch (error) {
    if (error instanceof ZookeeperError && error.code === ERROR.noNode) return false;
    throw error;
  }
}

async function makeParents(send: (message: messages.Message<undefined>) => Promise<unknown>): Promise<void> {
  await Promise.all(PARENTS.map((path) => unlessThere(send(messages.create(path, 'persistent')))));
}

async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!(error instanceof ZookeeperError) || error.code !== ERROR.nodeExists) throw error;
  }
}
