import type { LockSignals } from '../../lock-driver.js';
import { type Change, decodeRecord, encodeRecord, type Versioned } from '../consensus/lock-record.js';
import type { CommitReply, ListedRecord, Notices, RecordStore } from '../consensus/record-store.js';
import { StoreClock } from '../consensus/store-clock.js';
import { EtcdClient, EtcdError, NOT_FOUND } from './etcd-client.js';
import { EtcdMailbox } from './etcd-mailbox.js';
import { decodeText, encodeText, keyOfRecord, mailboxName, RECORD_RANGE, recordName } from './etcd-names.js';
import { RetentionLeases } from './retention-leases.js';

/** etcd takes 128 operations per transaction. The rest is for messages, one per process. */
const MAX_KEYS = 100;
const MAX_MESSAGES = 28;
const SECOND_US = 1_000_000;
const PAGE = 1_000;
const LIST_BUDGET_MS = 1_000;

interface KeyValue {
  readonly key: string;
  readonly value?: string;
  readonly mod_revision: string;
}
interface RangeAnswer {
  readonly kvs?: readonly KeyValue[];
  readonly more?: boolean;
}
interface TxnAnswer {
  readonly header: { readonly revision: string };
  readonly succeeded?: boolean;
  readonly responses?: readonly { readonly response_range?: RangeAnswer }[];
}

/** Records are keys of etcd, their versions etcd's revisions. Reads are linearizable: no node answers from an old state. */
export class EtcdStore implements RecordStore {
  readonly name = 'etcd';
  readonly clock = new StoreClock();
  readonly maxKeys = MAX_KEYS;
  private readonly client: EtcdClient;
  private readonly retention: RetentionLeases;
  private mailbox: EtcdMailbox | undefined;

  constructor(
    urls: readonly string[],
    private readonly processId: string,
  ) {
    this.client = new EtcdClient(urls);
    this.retention = new RetentionLeases(this.client);
  }

  async start(signals: LockSignals): Promise<void> {
    const mailbox = new EtcdMailbox(this.client, this.processId, signals);
    this.mailbox = mailbox;
    this.client.onMove = () => mailbox.open();
    mailbox.open();
    await this.retention.idFor(1);
  }

  stop(): Promise<void> {
    this.mailbox?.stop();
    this.client.stop();
    return Promise.resolve();
  }

  async read(keys: readonly string[]): Promise<(Versioned | undefined)[]> {
    const success = keys.map((key) => ({ request_range: { key: encodeText(recordName(key)) } }));
    if (success.length === 1) {
      const answer = await this.call<RangeAnswer>('kv/range', success[0]?.request_range ?? {});
      return [answer.kvs?.[0] && toVersioned(answer.kvs[0])];
    }
    const answer = await this.call<TxnAnswer>('kv/txn', { success });
    return keys.map((_, index) => {
      const found = answer.responses?.[index]?.response_range?.kvs?.[0];
      return found && toVersioned(found);
    });
  }

  async readLatest(keys: readonly string[]): Promise<(Versioned | undefined)[]> {
    const groups = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, index) =>
      this.read(keys.slice(index * MAX_KEYS, (index + 1) * MAX_KEYS)),
    );
    return (await Promise.all(groups)).flat();
  }

  async commit(changes: readonly Change[], notices: Notices): Promise<CommitReply> {
    const leaseMs = Math.max(...changes.map(({ record }) => (record.state === 'free' ? 1 : record.leaseMs)));
    const lease = await this.retention.idFor(leaseMs);
    const compare = changes.map(({ key, version }) => ({
      key: encodeText(recordName(key)),
      target: 'MOD',
      mod_revision: version ?? '0', // of a key that does not exist
    }));
    const puts = [
      ...changes.map(({ key, record }) => [recordName(key), encodeRecord(record)] as const),
      ...messagesOf(notices),
    ];
    const success = puts.map(([key, value]) => ({
      request_put: { key: encodeText(key), value: encodeText(value), lease },
    }));
    try {
      const { succeeded, header } = await this.call<TxnAnswer>('kv/txn', { compare, success });
      return succeeded ? { isDone: true, versions: changes.map(() => header.revision) } : { isDone: false };
    } catch (error) {
      if (!(error instanceof EtcdError) || error.code !== NOT_FOUND) throw error;
      this.retention.forget(); // of a cluster that was set up anew: the caller reads, and tries again with another lease
      return { isDone: false };
    }
  }

  /** Within a budget of time: an operator's view, never part of the hot path. */
  async list(limit: number): Promise<ListedRecord[]> {
    const over = performance.now() + LIST_BUDGET_MS;
    const found: ListedRecord[] = [];
    let from: string = RECORD_RANGE.from;
    for (;;) {
      const range = { key: encodeText(from), range_end: encodeText(RECORD_RANGE.to), limit: PAGE };
      const { kvs = [], more } = await this.call<RangeAnswer>('kv/range', range);
      for (const each of kvs) {
        const listed = { key: keyOfRecord(decodeText(each.key)), ...toVersioned(each) };
        if (listed.record.state === 'held') found.push(listed);
      }
      const last = kvs.at(-1);
      if (!more || !last || found.length >= limit || performance.now() > over) return found.slice(0, limit);
      from = `${decodeText(last.key)}\0`;
    }
  }

  private async call<T>(method: string, request: object): Promise<T> {
    const { body, date } = await this.client.call<T>(method, request);
    if (date !== undefined) this.clock.observe(Date.parse(date) * 1_000, SECOND_US);
    return body;
  }
}

/** One message per process: etcd refuses a transaction that writes a key twice. Whom none reaches looks by itself soon. */
function messagesOf({ woken, contended }: Notices): (readonly [string, string])[] {
  const messages = new Map<string, string[]>();
  const add = (owner: string, message: string) => {
    const mailbox = mailboxName(owner.slice(0, owner.indexOf('.')));
    messages.set(mailbox, [...(messages.get(mailbox) ?? []), message]);
  };
  for (const owner of woken) add(owner, owner);
  for (const owner of contended) add(owner, `!${owner}`);
  return [...messages].slice(0, MAX_MESSAGES).map(([mailbox, all]) => [mailbox, all.join(' ')]);
}

function toVersioned({ value = '', mod_revision: version }: KeyValue): Versioned {
  return { record: decodeRecord(decodeText(value)), version };
}
