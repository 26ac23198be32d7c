import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../src/platform/postgres/schema/migrate.js';
import { Random } from '../chaos/random.js';
import { type KillReport, runKilled } from './killed-instances.js';

/** `npm run test:stream -- --commands 2000`: each sent twice to three instances, one of which is killed every three seconds. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      commands: { type: 'string', default: '2000' },
      instances: { type: 'string', default: '3' },
      'kill-every': { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-stream-'));
  chmodSync(directory, 0o755);
  const server = await startEmbeddedPostgres(path.join(directory, 'postgres'), {
    settings: { max_connections: '200' },
  });
  try {
    await migrate(server.url);
    const commands = Number(values.commands);
    const report = await runKilled({
      databaseUrl: server.url,
      commands,
      instances: Number(values.instances),
      killEveryMs: Number(values['kill-every']) * 1_000,
      faultPoints: [],
      random: new Random(Number(values.seed)),
      log: print,
    });
    print(JSON.stringify({ seed: values.seed, ...report }, undefined, 2));
    return isSound(report, commands) ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function isSound({ orders, faults, unacknowledged, violations }: KillReport, commands: number): boolean {
  return (
    orders['CONFIRMED'] === commands &&
    Object.keys(orders).length === 1 &&
    faults.length === 0 &&
    unacknowledged === 0 &&
    Object.keys(violations).length === 0
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exit(await main());
