import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppConfig, ConfigurationError } from '../config/app-config.js';
import { messageOf } from '../../common/error-message.js';
import { StopSignals } from '../shutdown/stop-signals.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { explainFolder } from '../embedded-postgres/folder-access.js';
import { lockDataDir, runningOwner } from '../embedded-postgres/instance-lock.js';
import { BoundedClient } from './bounded-client.js';
import { refuseUnfitPooler } from './pooler.js';
import { connectionTarget, describeTarget } from './servers.js';

const PROBE_MS = 5_000;

export interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

/** The configured server, or an embedded one in DATA_DIR that lives as long as this process. */
export async function openDatabase(config: AppConfig, signal?: AbortSignal): Promise<OpenDatabase> {
  if (config.database.url) {
    await probe(config.database.url);
    return { url: config.database.url, isEmbedded: false, close: () => Promise.resolve() };
  }
  try {
    return await openEmbedded(config.dataDir, signal);
  } catch (error) {
    throw explainFolder(config.dataDir, error);
  }
}

async function openEmbedded(dataDir: string, signal?: AbortSignal): Promise<OpenDatabase> {
  const unlock = lockDataDir(dataDir);
  try {
    const server = await startEmbeddedPostgres(path.join(dataDir, 'postgres'), { signal });
    const urlFile = urlFileIn(dataDir);
    rmSync(urlFile, { force: true }); // left behind by a crash, perhaps of another user and with another mode
    writeFileSync(urlFile, server.url, { mode: 0o600 });
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

/** For commands beside a running service: uses its embedded server if there is one, else runs one until closed. */
export async function joinDatabase(config: AppConfig): Promise<OpenDatabase> {
  const urlFile = urlFileIn(config.dataDir);
  if (!config.database.url && runningOwner(config.dataDir) !== undefined && existsSync(urlFile)) {
    return { url: readFileSync(urlFile, 'utf8'), isEmbedded: true, close: () => Promise.resolve() };
  }
  const signals = new StopSignals();
  const database = await openDatabase(config, signals.requested);
  signals.handle({ stop: () => database.close().then(() => signals.exitCode) });
  return database;
}

function urlFileIn(dataDir: string): string {
  return path.join(dataDir, 'database.url');
}

async function probe(url: string): Promise<void> {
  let client: BoundedClient | undefined;
  try {
    const target = connectionTarget(url);
    client = new BoundedClient({ ...target, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
    client.on('error', () => undefined); // the next statement fails and says why
    await client.connect();
    await refuseUnfitPooler(target, client);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(
      `Cannot reach the database of DATABASE_URL (${describeTarget(url)}): ${reason(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return messageOf(error);
}
