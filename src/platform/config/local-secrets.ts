import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCodeOf } from '../../common/error-message.js';
import { explainFolder } from '../embedded-postgres/folder-access.js';
import { AppConfig, ConfigurationError } from './app-config.js';
import { toClientKey } from './client-key.js';

const fileSchema = z.object({ adminKey: z.string(), storefrontKey: z.string(), accessTokenSecret: z.string() });

const OWNER_ONLY = 0o600;

/**
 * Outside production, keys that are not configured are generated once and kept in DATA_DIR, readable by the owner only.
 */
export function withLocalSecrets(config: AppConfig): AppConfig {
  const { adminKeys, storefrontKeys, accessTokenSecret } = config.auth;
  if (config.isProduction || (adminKeys.length > 0 && storefrontKeys.length > 0 && accessTokenSecret)) return config;
  const local = localKeys(config.dataDir);
  return {
    ...config,
    auth: {
      ...config.auth,
      adminKeys: adminKeys.length > 0 ? adminKeys : [toClientKey(local.adminKey)],
      storefrontKeys: storefrontKeys.length > 0 ? storefrontKeys : [toClientKey(local.storefrontKey)],
      accessTokenSecret: accessTokenSecret ?? local.accessTokenSecret,
      generated: {
        ...(adminKeys.length === 0 && { adminKey: local.adminKey }),
        ...(storefrontKeys.length === 0 && { storefrontKey: local.storefrontKey }),
      },
    },
  };
}

function localKeys(dataDir: string): z.infer<typeof fileSchema> {
  try {
    return readOrCreate(path.join(dataDir, 'keys.json'));
  } catch (error) {
    throw explainFolder(dataDir, error);
  }
}

function readOrCreate(file: string): z.infer<typeof fileSchema> {
  if (existsSync(file)) {
    chmodSync(file, OWNER_ONLY); // also where a backup was restored with other permissions
    return parse(file, readFileSync(file, 'utf8'));
  }
  const random = (prefix: string) => `${prefix}_${randomBytes(24).toString('base64url')}`;
  const keys = { adminKey: random('admin'), storefrontKey: random('store'), accessTokenSecret: random('secret') };
  mkdirSync(path.dirname(file), { recursive: true });
  // Written to a temporary file and linked: an instance that starts at the same moment either reads a complete file or
  // makes its own.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(keys, null, 2), { mode: OWNER_ONLY });
  try {
    linkSync(draft, file);
    return keys;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return readOrCreate(file);
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** An unreadable file is never replaced: new keys would invalidate every access token, and nobody would know why. */
function parse(file: string, text: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ConfigurationError(`${file} is damaged: restore it, or remove it to get new keys`, { cause: error });
  }
}
