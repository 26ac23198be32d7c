import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppConfig } from './app-config.js';

const fileSchema = z.object({ adminKey: z.string(), storefrontKey: z.string(), accessTokenSecret: z.string() });

/** Outside production, keys that were not configured are generated once and kept in DATA_DIR, readable by us alone. */
export function withLocalSecrets(config: AppConfig): AppConfig {
  const { adminKeys, storefrontKeys, accessTokenSecret } = config.auth;
  if (config.isProduction || (adminKeys.length > 0 && storefrontKeys.length > 0 && accessTokenSecret)) return config;
  const local = readOrCreate(path.join(config.dataDir, 'keys.json'));
  return {
    ...config,
    auth: {
      ...config.auth,
      adminKeys: adminKeys.length > 0 ? adminKeys : [local.adminKey],
      storefrontKeys: storefrontKeys.length > 0 ? storefrontKeys : [local.storefrontKey],
      accessTokenSecret: accessTokenSecret ?? local.accessTokenSecret,
    },
  };
}

function readOrCreate(file: string): z.infer<typeof fileSchema> {
  if (existsSync(file)) return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const random = (prefix: string) => `${prefix}_${randomBytes(24).toString('base64url')}`;
  const keys = { adminKey: random('admin'), storefrontKey: random('store'), accessTokenSecret: random('secret') };
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600, flag: 'wx' });
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readOrCreate(file);
    throw error;
  }
}
