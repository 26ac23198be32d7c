import type { LockSignals } from '../../lock-driver.js';
import type { EtcdClient } from './etcd-client.js';
import { decodeText, encodeText, mailboxName } from './etcd-names.js';

const RECONNECT_MS = 100;

interface WatchLine {
  readonly result?: {
    readonly created?: boolean;
    readonly canceled?: boolean;
    readonly events?: readonly { readonly kv?: { readonly value?: string } }[];
  };
}

/** Undefined for what is not etcd's, such as the page of a proxy. */
function parse(line: string): WatchLine['result'] {
  try {
    return (JSON.parse(line) as WatchLine).result;
  } catch {
    return undefined;
  }
}

/**
 * Watches the key through which other processes reach this one: each is woken by a write of its own, not by every change
 * of a record that it waits for. After every (re)connect all waiters look again.
 */
export class EtcdMailbox {
  private stream: { close(): void } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly client: EtcdClient,
    private readonly processId: string,
    private readonly signals: LockSignals,
  ) {}

  open(): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.stream?.close();
    const request = { create_request: { key: encodeText(mailboxName(this.processId)) } };
    const reopen = () => {
      if (!this.isStopped) this.timer = setTimeout(() => this.open(), RECONNECT_MS).unref();
    };
    this.stream = this.client.stream('watch', request, (line) => this.receive(line), reopen);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.stream?.close();
  }

  private receive(line: string): void {
    const result = parse(line);
    if (result?.created) this.signals.wake(); // what was written while nobody watched is lost
    for (const { kv } of result?.events ?? []) {
      for (const message of decodeText(kv?.value ?? '').split(' ')) {
        if (message.startsWith('!')) this.signals.contend(message.slice(1));
        else if (message !== '') this.signals.wake(message);
      }
    }
    if (result?.canceled) this.open();
  }
}
