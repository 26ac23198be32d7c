import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { closeApp, createApp, listenOn } from './app.js';
import { systemCodeOf } from './common/error-message.js';
import { AppConfig, ConfigurationError, playMoneyNotice } from './platform/config/app-config.js';
import type { OpenDatabase } from './platform/postgres/open-database.js';
import { injectFault } from './platform/fault-injection.js';
import { RELAY_FAULT_POINTS } from './platform/outbox/outbox-relay.job.js';
import { DemoCatalogue } from './inventory/sku/demo-catalogue.js';
import { EDIT_FAULT_POINTS } from './inventory/reservation/reservation-edit.service.js';
import { BULK_FAULT_POINTS } from './operations/bulk/bulk-run.job.js';
import { CANCEL_FAULT_POINTS } from './orders/cancel/pending-cancellation.service.js';
import { SagaRegistry } from './saga/saga-registry.js';
import { COMMAND_FAULT_POINTS } from './checkout/commands/command-handler.service.js';
import { DELIVERY_FAULT_POINTS } from './event-delivery/delivery-fault-points.js';
import { PUBLISH_FAULT_POINTS } from './event-delivery/stream/stream-publish.job.js';

export interface RunningService {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Serves what has come, then stops. */
  readonly close: () => Promise<void>;
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop the other program or set PORT',
  EACCES: 'is not allowed for this user: set PORT to 1024 or more',
  EADDRNOTAVAIL: 'is not an address of this machine: set HOST',
  ENOTFOUND: 'cannot be resolved: set HOST',
  EAI_AGAIN: 'cannot be resolved: set HOST',
};

/** The service on an open database, listening; or not at all. */
export async function startService(
  config: AppConfig,
  database: OpenDatabase,
  signal: AbortSignal,
): Promise<RunningService> {
  signal.throwIfAborted();
  const app = await createApp(config, database.url, signal);
  try {
    signal.throwIfAborted();
    if (config.faultPoint) {
      const points = [
        ...app.get(SagaRegistry).faultPoints(),
        ...RELAY_FAULT_POINTS,
        ...DELIVERY_FAULT_POINTS,
        ...PUBLISH_FAULT_POINTS,
        ...COMMAND_FAULT_POINTS,
        ...EDIT_FAULT_POINTS,
        ...CANCEL_FAULT_POINTS,
        ...BULK_FAULT_POINTS,
      ];
      injectFault(config.faultPoint, points);
    }
    if (database.isEmbedded && !config.isProduction) await app.get(DemoCatalogue).seed();
    const url = await listen(app, config);
    const notice = playMoneyNotice(config);
    if (notice !== undefined) new Logger('Payments').warn(notice);
    return { app, url, close: () => closeApp(app, config) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

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
