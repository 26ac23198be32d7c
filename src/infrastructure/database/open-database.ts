import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { AppConfig, ConfigurationError } from '../config/app-config.js';
import { messageOf } from '../../common/error-message.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { lockDataDir } from './instance-lock.js';
import { isAlive, pidIn } from './process-id.js';

export interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

/** The configured server, or an embedded one in DATA_DIR that lives as long as this process. */
export async function openDatabase(config: AppConfig): Promise<OpenDatabase> {
  if (config.database.url) {
    await probe(config.database.url);
    return { url: config.database.url, isEmbedded: false, close: () => Promise.resolve() };
  }
  const unlock = lockDataDir(config.dataDir);
  try {
    const server = await startEmbeddedPostgres(path.join(config.dataDir, 'postgres'));
    const urlFile = urlFileIn(config.dataDir);
    writeFileSync(urlFile, server.url, { mode: 0o600 });
    chmodSync(urlFile, 0o600);
    const close = async () => {
      await server.stop();
      rmSync(urlFile, { force: true });
      unlock();
    };
    return { url: server.url, isEmbedded: true, close };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** For commands beside a running service: joins its embedded server where there is one. */
export async function joinDatabase(config: AppConfig): Promise<OpenDatabase> {
  const owner = pidIn(path.join(config.dataDir, 'instance.pid'));
  const urlFile = urlFileIn(config.dataDir);
  if (!config.database.url && owner !== undefined && isAlive(owner, 'node') && existsSync(urlFile)) {
    return { url: readFileSync(urlFile, 'utf8'), isEmbedded: true, close: () => Promise.resolve() };
  }
  return openDatabase(config);
}

function urlFileIn(dataDir: string): string {
  return path.join(dataDir, 'database.url');
}

async function probe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new ConfigurationError(`Cannot reach the database of DATABASE_URL (${host}${pathname}): ${reason(error)}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return messageOf(error);
}
