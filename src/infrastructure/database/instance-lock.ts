import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../config/app-config.js';
import { isAlive, pidIn } from './process-id.js';

/** One instance per DATA_DIR: a second one would fight over the same embedded server. Returns the release. */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'instance.pid');
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = pidIn(file);
      if (owner !== undefined && owner !== process.pid && isAlive(owner, 'node')) {
        throw new ConfigurationError(
          `Another instance (pid ${owner}) already uses DATA_DIR ${dataDir}: stop it, choose another DATA_DIR, or set DATABASE_URL to share one database`,
        );
      }
      rmSync(file, { force: true });
    }
  }
}
