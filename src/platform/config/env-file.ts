import { existsSync } from 'node:fs';

/**
 * The process's environment, with `.env` of the folder that the service is started in behind it: what is set already
 * wins. Tests never read the file, because they must not depend on what a developer keeps there.
 */
export function environment(): NodeJS.ProcessEnv {
  if (process.env['NODE_ENV'] !== 'test' && existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
