import fc from 'fast-check';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { type RedisServer, startRedis } from '../setup/redis-server.js';

const BASE_US = 1_800_000_000_000_000;
const CONSTANTS = `local CHANNEL, GRACE_MS, RETENTION_MS, QUEUE_TTL_MS = 'wake:', '100', '300000', '60000'`;
const FAST_PATH = 'if key_count == 1 then';
const CLOCK = `redis.call('TIME')`;

const read = (name: string) => readFileSync(new URL(`../../src/lock/scripts/${name}.lua`, import.meta.url), 'utf8');
const COMMANDS = ['acquire', 'renew', 'release'].map(
  (name) => `commands.${name} = function(KEYS, ARGV)\n${read(name)}\nend`,
);
/** The batch with its clock as the last two arguments, so that two runs of it see the same time. */
const BATCH = `${CONSTANTS}\n${read('batch')
  .replace('--@commands', () => COMMANDS.join('\n'))
  .replace(CLOCK, '{ table.remove(ARGV, #ARGV - 1), table.remove(ARGV) }')}`;
/** The same without its fast paths: every command goes through its own file. */
const FILES = BATCH.replace(FAST_PATH, 'if false then');

interface Command {
  readonly name: 'acquire' | 'renew' | 'release';
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

const keys = fc
  .uniqueArray(fc.constantFrom('{a}', '{b}', '{c}'), { minLength: 1, maxLength: 2 })
  .map((all) => all.sort());
const owner = fc.constantFrom('p.1', 'p.2', 'q.1', 'q.2');
const lease = fc.constantFrom('50', '1000', '150000');
const us = fc.integer({ min: 0, max: 2_000_000 }).map((after) => String(BASE_US + after));
const acquire = fc
  .tuple(
    keys,
    owner,
    lease,
    fc.oneof(fc.constant('0'), us),
    fc.constantFrom('0', '0', '3'),
    fc.oneof(fc.constantFrom('0', '0', '-1'), us),
    fc.constantFrom('', '', 'p', 'q p'),
  )
  .map(([names, ...args]): Command => ({ name: 'acquire', keys: names, args }));
const renew = fc
  .tuple(keys, owner, lease, us)
  .map(([names, ...args]): Command => ({ name: 'renew', keys: names, args }));
const release = fc
  .tuple(keys, owner, fc.oneof(fc.constant('0'), us), fc.constantFrom('0', '1'))
  .map(([names, ...args]): Command => ({ name: 'release', keys: names, args }));
const tick = fc.record({
  commands: fc.array(fc.oneof({ weight: 4, arbitrary: acquire }, renew, { weight: 3, arbitrary: release }), {
    minLength: 1,
    maxLength: 6,
  }),
  passedUs: fc.integer({ min: 1, max: 150_000 }),
});

describe('batch.lua', () => {
  let server: RedisServer;
  let batched: Redis;
  let alone: Redis;
  beforeAll(async () => {
    server = await startRedis();
    batched = new Redis(server.url, { db: 0 });
    alone = new Redis(server.url, { db: 1 });
  });
  afterAll(async () => {
    batched.disconnect();
    alone.disconnect();
    await server.stop();
  });

  const run = async (redis: Redis, source: string, commands: readonly Command[], nowUs: number) => {
    const names = commands.flatMap((command) => command.keys);
    const args = commands.flatMap((command) => [command.name, String(command.keys.length), ...command.args]);
    const clock = [String(Math.floor(nowUs / 1_000_000)), String(nowUs % 1_000_000)];
    return (await redis.eval(source, names.length, ...names, ...args, ...clock)) as unknown[];
  };
  const contents = async (redis: Redis) => {
    const names = (await redis.keys('*')).sort();
    return Promise.all(
      names.map(async (name) => {
        // To the nearest 150 s: the two runs are a moment apart.
        const ttl = Math.round((await redis.pttl(name)) / 150_000);
        const value = name.endsWith(':waiting') ? await redis.zrange(name, 0, -1, 'WITHSCORES') : await redis.get(name);
        return [name, value, ttl];
      }),
    );
  };

  it('takes the places in the files that this test replaces', () => {
    for (const part of [FAST_PATH, CLOCK]) expect(read('batch').split(part)).toHaveLength(2);
  });

  it('does in one call what acquire.lua, renew.lua and release.lua do one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tick, { minLength: 1, maxLength: 12 }), async (ticks) => {
        await batched.flushall();
        let nowUs = BASE_US + 1_000_000;
        for (const { commands, passedUs } of ticks) {
          const together = await run(batched, BATCH, commands, nowUs);
          const single: unknown[] = [];
          for (const command of commands) single.push(...(await run(alone, FILES, [command], nowUs)));
          expect(together).toEqual(single);
          nowUs += passedUs;
        }
        expect(await contents(batched)).toEqual(await contents(alone));
      }),
      { numRuns: 150 },
    );
  });
});
