import { playSale } from '../../bench/sale-play.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

/** The benchmark in small: `npm run bench:sale` plays it with ten thousand. */
describe('a flash sale on two instances', () => {
  let database: TestDatabase;
  let instances: AppProcess[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, EVENT_STREAMS_PER_CALLER: '1000' };
    instances = await Promise.all([startAppProcess(env), startAppProcess(env)]);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
  });

  it('sells every seat once, in order, and tells the others, though one instance is killed in the middle', async () => {
    const figures = await playSale(
      {
        urls: instances.map(({ url }) => url),
        database: {
          query: async (text: string, params: unknown[]) => ({ rows: await database.query(text, params) }),
        } as never,
        kill: async () => {
          await instances[0]!.stop('SIGKILL');
        },
        usage: () => Promise.resolve({ cpuMs: 0, queries: 0 }),
        phase: () => undefined,
      },
      { clients: 150, seats: 12, by: 'sse', admitPerSecond: 10, maxActive: 10, waitSeconds: 1, joinSeconds: 3 },
    );
    expect(figures.violations).toEqual([]);
    expect(figures.sold).toBe(12);
    expect(Math.abs(figures.drawCorrelation)).toBeLessThan(0.5);
  });
});
