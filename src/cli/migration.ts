import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { messageOf } from '../common/error-message.js';
import { entities } from '../entities.js';
import { AppConfig, loadConfig } from '../platform/config/app-config.js';
import { dataSourceOptions } from '../platform/postgres/data-source.js';
import { joinDatabase } from '../platform/postgres/open-database.js';
import { migrate, revertLast } from '../platform/postgres/schema/migrate.js';

const USAGE = 'Usage: npm run migration:run | migration:contract | migration:revert | migration:generate -- <name>';

/** Migrations against DATABASE_URL, or against the embedded database of DATA_DIR. */
async function main([command, name]: readonly string[]): Promise<void> {
  const config = loadConfig(process.env);
  const database = await joinDatabase(config);
  try {
    process.stdout.write(`${await run(config, database.url, command, name)}\n`);
  } finally {
    await database.close();
  }
}

async function run(
  config: AppConfig,
  url: string,
  command: string | undefined,
  name: string | undefined,
): Promise<string> {
  const report = (_: string, line: string) => process.stderr.write(`${line}\n`);
  switch (command) {
    case 'run':
      return `${await migrate(url, { report })} migration(s) applied`;
    case 'contract':
      return `${await migrate(url, { report, isContracting: true })} migration(s) applied; earlier releases must not run any more`;
    case 'revert':
      await revertLast(url);
      return 'the last migration was reverted';
    case 'generate':
      return generate(config, url, name);
    case undefined:
    default:
      throw new Error(USAGE);
  }
}

/**
 * Writes a migration for what the entities have and the database lacks. Checks and partial indexes are added by hand.
 */
async function generate(config: AppConfig, url: string, name: string | undefined): Promise<string> {
  if (!name || !/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`${USAGE}: a name in kebab-case`);
  const dataSource = new DataSource(dataSourceOptions({ ...config.database, url }, entities));
  await dataSource.initialize();
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  if (upQueries.length === 0) return 'the entities and the schema agree: nothing to generate';
  const timestamp = Date.now();
  const className = `${name.replaceAll(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())}${timestamp}`;
  const statements = (queries: readonly { query: string }[]) =>
    queries.map(({ query }) => `    await queryRunner.query(${JSON.stringify(query)});`).join('\n');
  const file = path.join('migrations', `${timestamp}-${name}.ts`);
  const text = `import { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
${statements(upQueries)}
  }

  async down(queryRunner: QueryRunner): Promise<void> {
${statements([...downQueries].reverse())}
  }
}
`;
  writeFileSync(file, text);
  return `wrote ${file}: review it, then add ${className} to migrations/list.ts`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
