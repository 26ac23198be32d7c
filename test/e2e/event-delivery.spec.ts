import { RELAY_FAULT_POINTS } from '../../src/platform/outbox/outbox-relay.job.js';
import { DELIVERY_FAULT_POINTS } from '../../src/event-delivery/delivery-fault-points.js';
import { Random } from '../chaos/random.js';
import { scaled } from '../setup/scale.js';
import { requiredEnv } from '../setup/test-database.js';
import { AT_RANDOM, type KillReport, KilledShop } from './event-kills.js';

const POINTS = [...RELAY_FAULT_POINTS, ...DELIVERY_FAULT_POINTS];
const RANDOM_KILLS = 2;
const SEED = Number(process.env['EVENT_DELIVERY_SEED'] ?? Date.now() % 1_000_000);

/** Every point at one of its first passes, and any moment, in any order; the short drill has half of that per queue. */
function plan(random: Random, queue: number): string[] {
  const mine = POINTS.filter((_, index) => scaled(index % 2 === queue, true));
  const points = mine.map((point) => `${point}#${random.integer(1, 4)}`);
  return random.shuffled([...points, ...Array.from({ length: scaled(1, RANDOM_KILLS) }, () => AT_RANDOM)]);
}

describe('a process that is killed between the commit of an event and its delivery', () => {
  const backends = { PostgreSQL: {}, Redis: { REDIS_URL: requiredEnv('TEST_REDIS_URL') } };
  const reports: KillReport[] = [];
  beforeAll(async () => {
    const seed = new Random(SEED);
    const runs = Object.entries(backends).map(async ([name, settings], queue) => {
      const random = seed.fork(name);
      const report = await KilledShop.run(settings, plan(random, queue), random);
      reports.push(report);
      process.stdout.write(`${describeReport(name, report)}\n`);
    });
    await Promise.all(runs);
  }, 1_800_000);

  it('was killed at every point on the way', () => {
    expect(reports).toHaveLength(2);
    expect(reports.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThanOrEqual(POINTS.length + 2);
    for (const { stories, duplicates } of reports) {
      expect(stories).toBeGreaterThanOrEqual(40);
      expect(duplicates).toBeGreaterThan(0);
    }
  });

  it('loses no event, keeps the order of each subject, and repeats only what is the same', () => {
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
    expect(reports.map(({ violations }) => violations)).toEqual([{}, {}]);
  });
});

function describeReport(name: string, report: KillReport): string {
  const { kills, stories, events, arrivals, refused, duplicates, slowestMs, startMs, drainedMs } = report;
  return (
    `${name} (seed ${SEED}): ${kills} kills, ${stories} stories, ${events} events, ${arrivals} deliveries, ` +
    `${refused} refused, ${duplicates} duplicates; slowest ${slowestMs} ms; starts ${startMs} ms, drained after ${drainedMs} ms`
  );
}
