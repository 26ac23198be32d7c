import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, listenOn } from './app.js';
import { messageOf, systemCodeOf } from './common/error-message.js';
import { AppConfig, ConfigurationError, loadConfig } from './infrastructure/config/app-config.js';
import { withLocalSecrets } from './infrastructure/config/local-secrets.js';
import { openDatabase, OpenDatabase } from './infrastructure/database/open-database.js';
import { injectFault } from './infrastructure/fault-injection.js';
import { StopSignals } from './infrastructure/stop-signals.js';
import { DemoCatalogue } from './inventory/demo-catalogue.js';
import { SagaRegistry } from './saga/saga-registry.js';
import { welcome } from './welcome.js';

const signals = new StopSignals();

async function main(): Promise<void> {
  const config = withLocalSecrets(loadConfig(process.env));
  if (config.isStartedByNpm) signals.watchParent();
  const database = await openDatabase(config, signals.requested);
  let app: NestFastifyApplication | undefined;
  try {
    app = await createApp(config, database.url);
    signals.requested.throwIfAborted();
    if (config.faultPoint) injectFault(config.faultPoint, app.get(SagaRegistry).faultPoints());
    if (database.isEmbedded && !config.isProduction) await app.get(DemoCatalogue).seed();
    const url = await listen(app, config);
    signals.handle(draining(app, database, config));
    welcome(config, url, database.isEmbedded);
  } catch (error) {
    await app?.close();
    await database.close();
    throw error;
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop the other program or set PORT',
  EACCES: 'is not allowed for this user: set PORT to 1024 or more',
  EADDRNOTAVAIL: 'is not an address of this machine: set HOST',
  ENOTFOUND: 'cannot be resolved: set HOST',
  EAI_AGAIN: 'cannot be resolved: set HOST',
};

async function listen(app: NestFastifyApplication, config: AppConfig): Promise<string> {
  const { host, port } = config.http;
  try {
    return await listenOn(app, port, host);
  } catch (error) {
    const problem = LISTEN_PROBLEMS[systemCodeOf(error) ?? ''];
    if (problem === undefined) throw error;
    throw new ConfigurationError(`PORT ${port} on ${host} ${problem}`, { cause: error });
  }
}

/** Drains on the first signal; a second one, or the end of the grace period, stops without waiting. */
function draining(app: NestFastifyApplication, database: OpenDatabase, config: AppConfig) {
  return {
    graceMs: config.http.shutdownGraceMs + 5_000,
    stop: async () => {
      await app.close();
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
