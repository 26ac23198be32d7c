import { setTimeout as delay } from 'node:timers/promises';
import { TcpProxy } from '../lock/tcp-proxy.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { smallest } from '../setup/timing.js';

const SECONDS = 6;
/** ReadyForQuery outside a transaction: a statement of its own, or the end of a transaction. */
const DONE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

describe('instances that have nothing to do', () => {
  let database: TestDatabase;
  let wire: TcpProxy;
  const apps: TestApp[] = [];
  /** Of all connections, also of the sandbox. The statistics of PostgreSQL come up to ten seconds later. */
  let transactions = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    wire = await TcpProxy.start(Number(new URL(database.url).port));
    wire.onReply = (chunk) => {
      for (let at = chunk.indexOf(DONE); at >= 0; at = chunk.indexOf(DONE, at + 1)) transactions += 1;
    };
    await start();
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await wire.stop();
    await database.drop();
  });

  const start = async () => {
    const url = Object.assign(new URL(database.url), { port: String(wire.port) }).toString();
    apps.push(await startTestApp({}, { ...database, url }));
  };
  const perSecond = async () => {
    const before = transactions;
    await delay(SECONDS * 1_000);
    return (transactions - before) / SECONDS;
  };

  it('hardly talk to the database', async () => {
    // What the start still does, and whatever is late on a busy machine, only ever adds.
    const one = await smallest(5, perSecond);
    await Promise.all([start(), start()]);
    const three = await smallest(12, perSecond);
    process.stdout.write(
      `transactions per second: ${one.toFixed(1)} of an idle instance, ${three.toFixed(1)} of three\n`,
    );
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThan(5);
    expect(three).toBeLessThan(12);
  });
});
