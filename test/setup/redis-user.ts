import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import type { RedisServer } from './redis-server.js';

const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/redis.md');

/** A user as docs/redis.md says, and somebody who may change it. */
export interface RedisUser {
  readonly url: string;
  /** More rules, or fewer rights, from now on. */
  change(...rules: string[]): Promise<void>;
  /** What Redis has refused this user, as `command` or `key` and what it was. */
  refused(): Promise<string[]>;
  /** How often a command was refused for want of the right to run it. */
  refusals(command: string): Promise<number>;
  disconnect(): void;
}

export async function createDocumentedUser(server: RedisServer): Promise<RedisUser> {
  const admin = new Redis(server.url);
  const rules = readFileSync(DOCUMENT, 'utf8').match(/^ACL SETUSER checkout .*$/gm) ?? [];
  if (rules.length === 0) throw new Error('docs/redis.md has no ACL');
  for (const rule of rules) await admin.call('ACL', ...rule.split(' ').slice(1));
  return {
    url: server.url.replace('://', '://checkout:password@'),
    change: async (...more) => {
      await admin.call('ACL', 'SETUSER', 'checkout', ...more);
    },
    refused: async () => {
      const entries = (await admin.call('ACL', 'LOG')) as unknown[][];
      return entries.map((fields) => `${String(fields[3])} ${String(fields[7])} (${String(fields[5])})`);
    },
    refusals: async (command) => {
      const stats = await admin.info('commandstats');
      return Number(new RegExp(`cmdstat_${command}:.*rejected_calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    },
    disconnect: () => admin.disconnect(),
  };
}
