import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { ApiClient } from '../setup/api-client.js';
import { type AppProcess, KEYS, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { type HttpBalancer, SERVED_BY, startHaproxy } from '../setup/haproxy.js';
import { violations } from '../setup/invariants.js';
import { scaled } from '../setup/scale.js';
import { basket, shelve } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const BUYERS = 8;
/** Between two purchases of a buyer: the machine is for the restarts. */
const PAUSE_MS = scaled(100, 20);
/** Of each instance. */
const RESTARTS = scaled(1, 10);

describe('a rolling restart under load, behind a balancer', () => {
  const sku = `rolling-${randomUUID().slice(0, 8)}`;
  let database: TestDatabase;
  let balancer: HttpBalancer;
  let ports: number[];
  const apps: AppProcess[] = [];
  const start = (port: number) =>
    startAppProcess({
      DATABASE_URL: database.url,
      REDIS_URL: requiredEnv('TEST_REDIS_URL'),
      PORT: String(port),
      SHUTDOWN_DELAY_MS: '4000',
      DATABASE_POOL_SIZE: '8',
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    ports = [await freePort(), await freePort()];
    for (const port of ports) apps.push(await start(port));
    await shelve(apps[0]!.api, sku, 1_000_000);
    balancer = await startHaproxy(ports);
  }, 180_000);
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(apps.map((app) => app.stop('SIGKILL')));
    await database.drop();
  });

  it(
    'fails no request',
    async () => {
      const shop = new ApiClient(balancer.url, KEYS);
      const outcomes: Record<string, number> = {};
      const served: Record<string, number> = {};
      let isOver = false;
      const buyer = async () => {
        while (!isOver) {
          const outcome = await shop.post('/v1/checkouts', basket(sku)).then(
            ({ status, headers, body }) => {
              const instance = headers.get(SERVED_BY) ?? 'the balancer itself';
              served[instance] = (served[instance] ?? 0) + 1;
              return status === 201 ? '201' : `${status} ${body.code} of ${instance}`;
            },
            (error: unknown) => (error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error)),
          );
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          await delay(PAUSE_MS);
        }
      };
      const buyers = Array.from({ length: BUYERS }, buyer);
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        for (const index of apps.keys()) {
          expect(await apps[index]!.stop('SIGTERM')).toBe(0);
          apps[index] = await start(ports[index]!);
          served[`instance${index}`] = 0;
          await eventually('that the balancer uses it again', () => served[`instance${index}`]! > 0);
        }
      }
      isOver = true;
      await Promise.all(buyers);
      process.stdout.write(`answers during ${2 * RESTARTS} restarts: ${JSON.stringify(outcomes)}\n`);
      expect(Object.keys(outcomes)).toEqual(['201']);
      expect(await violations(database)).toEqual({});
    },
    180_000 + RESTARTS * 60_000,
  );
});
