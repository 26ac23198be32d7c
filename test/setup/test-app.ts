import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, listenOn } from '../../src/app.js';
import { loadConfig } from '../../src/platform/config/app-config.js';
import { ApiClient } from './api-client.js';
import { KEYS } from './app-process.js';
import { createTestDatabase, TestDatabase } from './test-database.js';

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly api: ApiClient;
  readonly database: TestDatabase;
  readonly url: string;
  close(): Promise<void>;
}

/** The application inside the test's process, on a real port and a database of its own. */
export async function startTestApp(
  env: Readonly<Record<string, string>> = {},
  shared?: TestDatabase,
): Promise<TestApp> {
  const database = shared ?? (await createTestDatabase());
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', RATE_LIMIT: 'off', ...KEYS, ...env });
  const app = await createApp(config, database.url);
  const url = await listenOn(app, 0, '127.0.0.1');
  return {
    app,
    url,
    database,
    api: new ApiClient(url, KEYS),
    close: async () => {
      await app.close();
      if (!shared) await database.drop();
    },
  };
}
