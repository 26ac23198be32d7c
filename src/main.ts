#!/usr/bin/env node
import 'reflect-metadata';
import { messageOf } from './common/error-message.js';
import { AppConfig, ConfigurationError, loadConfig } from './platform/config/app-config.js';
import { environment } from './platform/config/env-file.js';
import { withLocalSecrets } from './platform/config/local-secrets.js';
import { openDatabase, OpenDatabase } from './platform/postgres/open-database.js';
import { StopPlan, StopSignals } from './platform/shutdown/stop-signals.js';
import type { RunningService } from './start-service.js';
import { welcome } from './welcome.js';

const signals = new StopSignals();

async function main(): Promise<void> {
  const config = withLocalSecrets(loadConfig(environment()));
  if (config.isStartedByNpm) signals.watchParent();
  const database = await openDatabase(config, signals.requested);
  try {
    // Loaded only now: it takes a second, in which mistakes would not be reported and signals not handled.
    const { startService } = await import('./start-service.js');
    const service = await startService(config, database, signals.requested);
    signals.handle(draining(service, database, config));
    welcome(config, service.url, database.isEmbedded);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Drains on the first signal; a second one, or the end of the grace period, stops without waiting. */
function draining({ close }: RunningService, database: OpenDatabase, config: AppConfig): StopPlan {
  return {
    graceMs: config.http.shutdownDelayMs + 2 * config.http.shutdownGraceMs + 5_000,
    stop: async () => {
      await close();
      await database.close();
      return 0;
    },
    force: () => database.close(),
  };
}

function fail(error: unknown): never {
  if (signals.requested.aborted) process.exit(signals.exitCode);
  const isMistake = error instanceof ConfigurationError;
  process.stderr.write(
    `${isMistake ? error.message : `The start failed: ${error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)}`}\n`,
  );
  process.exit(1);
}

main().catch(fail);
