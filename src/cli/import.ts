import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { messageOf } from '../common/error-message.js';
import { entities } from '../entities.js';
import { loadConfig } from '../platform/config/app-config.js';
import { dataSourceOptions } from '../platform/postgres/data-source.js';
import { poolOf } from '../platform/postgres/database.module.js';
import { joinDatabase } from '../platform/postgres/open-database.js';
import { migrate } from '../platform/postgres/schema/migrate.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { CatalogueImport, ImportCounts } from '../inventory/import/catalogue-import.js';
import { importFile } from '../inventory/import/import-file.js';
import { SkuRepository } from '../inventory/sku/sku.repository.js';
import { SkuCache } from '../inventory/sku/sku-cache.js';
import { Progress } from './progress.js';
import { RejectedRows } from './rejected-rows.js';

const USAGE = `Usage: npm run import -- <file.csv | file.ndjson>

Creates and updates SKUs. Columns or members: sku, name, unitAmount, currency, group, onHand (the last two optional).
The stock of a SKU that exists is not touched. Bad rows are listed in <file>.rejected.ndjson.`;

const EXIT = { done: 0, badRows: 1, failed: 2 } as const;

async function main(args: readonly string[]): Promise<number> {
  const [file] = args;
  if (file === undefined || args.length !== 1 || file.startsWith('-')) {
    process.stderr.write(`${USAGE}\n`);
    return file === '--help' || file === '-h' ? EXIT.done : EXIT.failed;
  }
  const config = loadConfig(process.env);
  const database = await joinDatabase(config);
  try {
    await migrate(database.url, { report: (_, line) => process.stderr.write(`${line}\n`) });
    const dataSource = new DataSource(
      dataSourceOptions({ ...config.database, url: database.url, poolSize: 2 }, entities),
    );
    await dataSource.initialize();
    try {
      return await run(file, new TransactionRunner(poolOf(dataSource)));
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await database.close();
  }
}

async function run(file: string, transactions: TransactionRunner): Promise<number> {
  const startedAt = performance.now();
  const rejected = new RejectedRows(file, (line) => process.stderr.write(`${line}\n`));
  const target = new CatalogueImport(transactions, new SkuRepository(new SkuCache()), (row) => rejected.add(row));
  const progress = new Progress(process.stderr, () => sum(target.counts));
  try {
    await importFile(file, target, (share) => progress.show(share));
  } finally {
    await rejected.close();
  }
  const { created, changed, unchanged, rejected: bad } = target.counts;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(
    `${created} created, ${changed} changed, ${unchanged} unchanged, ${bad} rejected in ${seconds} s\n`,
  );
  if (bad > 0) process.stdout.write(`The rejected rows are in ${rejected.file}\n`);
  return bad > 0 ? EXIT.badRows : EXIT.done;
}

function sum({ created, changed, unchanged, rejected }: ImportCounts): number {
  return created + changed + unchanged + rejected;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The import failed: ${messageOf(error)}\n`);
    process.exitCode = EXIT.failed;
  },
);
