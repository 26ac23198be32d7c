import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, listenOn } from './app.js';
import { messageOf } from './common/error-message.js';
import { AppConfig, ConfigurationError, loadConfig } from './infrastructure/config/app-config.js';
import { withLocalSecrets } from './infrastructure/config/local-secrets.js';
import { openDatabase, OpenDatabase } from './infrastructure/database/open-database.js';
import { injectFault } from './infrastructure/fault-injection.js';
import { RELAY_FAULT_POINTS } from './infrastructure/outbox/outbox-relay.job.js';
import { DemoCatalogue } from './inventory/demo-catalogue.js';
import { SagaRegistry } from './saga/saga-registry.js';
import { DELIVERY_FAULT_POINTS } from './webhook/delivery-fault-points.js';
import { welcome } from './welcome.js';

async function main(): Promise<void> {
  const config = withLocalSecrets(loadConfig(process.env));
  const database = await openDatabase(config);
  try {
    const app = await createApp(config, database.url);
    if (config.faultPoint) {
      const points = [...app.get(SagaRegistry).faultPoints(), ...RELAY_FAULT_POINTS, ...DELIVERY_FAULT_POINTS];
      injectFault(config.faultPoint, points);
    }
    if (database.isEmbedded && !config.isProduction) await app.get(DemoCatalogue).seed();
    const url = await listen(app, config);
    stopOnSignal(app, database, config);
    welcome(config, url, database.isEmbedded);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function listen(app: NestFastifyApplication, config: AppConfig): Promise<string> {
  try {
    return await listenOn(app, config.http.port, config.http.host);
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigurationError(
      `PORT ${config.http.port} on ${config.http.host} is in use: stop the other program or set PORT`,
    );
  }
}

/** Drains on the first signal; a second one, or the end of the grace period, stops without waiting. */
function stopOnSignal(app: NestFastifyApplication, database: OpenDatabase, config: AppConfig): void {
  let isStopping = false;
  const stop = async () => {
    const forced = setTimeout(
      () => void database.close().finally(() => process.exit(1)),
      config.http.shutdownGraceMs + 5_000,
    );
    await app.close();
    await database.close();
    clearTimeout(forced);
    process.exit(0);
  };
  const onSignal = () => {
    if (isStopping) return;
    isStopping = true;
    stop().catch((error: unknown) => fail(error));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function fail(error: unknown): never {
  const isMistake = error instanceof ConfigurationError;
  process.stderr.write(
    `${isMistake ? error.message : `The start failed: ${error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)}`}\n`,
  );
  process.exit(1);
}

main().catch(fail);
