import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { violations } from '../setup/invariants.js';
import { openDatabase } from '../setup/test-database.js';
import { unpackPreviousRelease } from './previous-release.js';
import { upgrade, type UpgradeReport } from './upgrade.js';

/** `npm run test:upgrade -- --orders 1000000`: the release before, full of orders, becomes this one while buyers buy. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '20000' },
      buyers: { type: 'string', default: '8' },
      answers: { type: 'string', default: '1000' },
    },
  });
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-upgrade-'));
  chmodSync(directory, 0o755);
  const settings = { max_connections: '200', shared_buffers: '512MB', max_wal_size: '4GB' };
  const server = await startEmbeddedPostgres(path.join(directory, 'postgres'), { settings });
  const release = unpackPreviousRelease();
  const database = openDatabase(server.url);
  try {
    print(`from release ${release.version} with ${values.orders} orders, ${values.buyers} buyers`);
    const [orders, buyers, answers] = [Number(values.orders), Number(values.buyers), Number(values.answers)];
    const report = await upgrade({ databaseUrl: server.url, release, orders, buyers, answers, log: print });
    show(report);
    const violated = await violations(database);
    print(`invariants: ${JSON.stringify(violated)}`);
    return report.failed === 0 && Object.keys(violated).length === 0 ? 0 : 1;
  } finally {
    await database.close();
    release.remove();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function show({ phases, failed, problems, migrations }: UpgradeReport): void {
  for (const line of migrations) print(`  ${line}`);
  for (const { phase, seconds, statuses, longestMs, medianMs } of phases) {
    const times = `longest ${Math.round(longestMs)} ms, median ${Math.round(medianMs)} ms`;
    print(`${phase.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s  ${JSON.stringify(statuses)}  ${times}`);
  }
  for (const problem of problems) print(`  ${problem}`);
  print(`failed requests: ${failed}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exit(await main());
