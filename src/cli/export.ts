import 'reflect-metadata';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { OrderExport } from '../audit/export/export.repository.js';
import { messageOf } from '../common/error-message.js';
import { entities } from '../entities.js';
import { loadConfig } from '../platform/config/app-config.js';
import { dataSourceOptions } from '../platform/postgres/data-source.js';
import { poolOf } from '../platform/postgres/database.module.js';
import { joinDatabase } from '../platform/postgres/open-database.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Progress } from './progress.js';

const USAGE = `Usage: npm run export -- <file.ndjson> [--from 2026-01-01] [--to 2027-01-01]

Writes orders with their payments and refunds, one JSON object per line, in the order of their making. --from and --to bound
the time of the making (the end is excluded). The file "-" is the standard output.`;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  const from = new Date(values.from ?? 0);
  const to = new Date(values.to ?? Date.now() + 60_000);
  if (values.help || file === undefined || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) {
    process.stderr.write(`${USAGE}\n`);
    return values.help ? 0 : 2;
  }
  const config = loadConfig(process.env);
  const database = await joinDatabase(config);
  const settings = { ...config.database, url: database.url, poolSize: 2 };
  const dataSource = new DataSource(dataSourceOptions(settings, entities));
  try {
    await dataSource.initialize();
    await write(file, new OrderExport(new TransactionRunner(poolOf(dataSource)), from, to));
    return 0;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.close();
  }
}

async function write(file: string, orders: OrderExport): Promise<void> {
  const output = file === '-' ? process.stdout : createWriteStream(file);
  const total = await orders.count();
  let written = 0;
  const progress = new Progress(process.stderr, () => written);
  for await (const page of orders.pages()) {
    const isTaken = output.write(page.map(({ line }) => `${line}\n`).join(''));
    written += page.length;
    progress.show(Math.min(0.99, written / total)); // orders that were made meanwhile come on top
    if (!isTaken) await once(output, 'drain');
  }
  progress.show(1);
  if (output === process.stdout) return;
  output.end();
  await finished(output);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The export failed: ${messageOf(error)}\n`);
    process.exitCode = 2;
  },
);
