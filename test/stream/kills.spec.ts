import { COMMAND_FAULT_POINTS } from '../../src/checkout/commands/command-handler.service.js';
import { PUBLISH_FAULT_POINTS } from '../../src/event-delivery/stream/stream-publish.job.js';
import { Random } from '../chaos/random.js';
import { scaled } from '../setup/scale.js';
import { createTestDatabase } from '../setup/test-database.js';
import { runKilled } from './killed-instances.js';

const COMMANDS = scaled(60, 2_000);
const SEED = Number(process.env['STREAM_SEED'] ?? Date.now() % 1_000_000);

describe('three instances of which one after the other is killed', () => {
  it(`turn ${COMMANDS} commands, each sent twice, into as many orders, each charged once (seed ${SEED})`, async () => {
    const database = await createTestDatabase();
    const random = new Random(SEED);
    const points = random.shuffled([...COMMAND_FAULT_POINTS, ...PUBLISH_FAULT_POINTS]).map((point) => `${point}#3`);
    const report = await runKilled({
      databaseUrl: database.url,
      commands: COMMANDS,
      instances: 3,
      killEveryMs: 1_000,
      faultPoints: points.slice(0, 3),
      random,
      log: () => undefined,
    });
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({
      orders: { CONFIRMED: COMMANDS },
      faults: [],
      deadLetters: { VALIDATION_FAILED: 5 },
      unacknowledged: 0,
      violations: {},
    });
    await database.drop();
  }, 600_000);
});
