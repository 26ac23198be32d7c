import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf, systemCodeOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';
import type { Binaries } from './postgres-binaries.js';
import { lastWords } from './postgres-output.js';
import { chooseIdentity, giveTo, ServerIdentity } from './server-identity.js';

/** PostgreSQL's data in a folder, and the programs that serve them. */
export interface Cluster {
  readonly identity: ServerIdentity;
  readonly password: string;
}

const PASSWORD_FILE = 'superuser-password';
const STAGING = '.new-';
/** PostgreSQL allows paths of 1,023 characters. This leaves room for the longest name below the folder. */
const MAX_PATH = 900;

/** Opens the data in `dataDir`, or creates them. Files that are not ours are never touched. */
export async function openCluster(dataDir: string, binaries: Binaries, signal?: AbortSignal): Promise<Cluster> {
  if (dataDir.length > MAX_PATH)
    throw new ConfigurationError(
      `The path of DATA_DIR is too long for PostgreSQL (${dataDir.length} characters, at most ${MAX_PATH}): choose another DATA_DIR`,
    );
  mkdirSync(path.dirname(dataDir), { recursive: true });
  const identity = isCluster(dataDir)
    ? chooseIdentity(dataDir, binaries.postgres)
    : await createCluster(dataDir, binaries, signal);
  return { identity, password: readFileSync(path.join(dataDir, PASSWORD_FILE), 'utf8') };
}

function isCluster(dataDir: string): boolean {
  const entries = listIfThere(dataDir);
  if (entries.length === 0) return false;
  const missing = ['PG_VERSION', PASSWORD_FILE].filter((name) => !entries.includes(name));
  if (missing.length === 0) return true;
  throw new ConfigurationError(
    `${dataDir} is not empty but has no ${missing.join(' and no ')}, so it is not a database of ours: move it away or choose another DATA_DIR`,
  );
}

/**
 * Created in a temporary folder and moved into place when complete, so that an interrupted start leaves nothing that
 * looks like data. Starting over in place would have to delete what it finds, and could collide with an initdb that
 * outlived its parent.
 */
async function createCluster(dataDir: string, binaries: Binaries, signal?: AbortSignal): Promise<ServerIdentity> {
  removeUnfinished(dataDir);
  const staging = mkdtempSync(`${dataDir}${STAGING}`);
  try {
    const identity = chooseIdentity(staging, binaries.postgres);
    const made = path.join(staging, 'data');
    const password = randomBytes(24).toString('hex');
    const passwordFile = path.join(staging, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    giveTo(identity, passwordFile);
    const login = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    await initdb(identity, [binaries.initdb, '-D', made, ...login, '-E', 'UTF8', '--locale=C'], signal);
    writeFileSync(path.join(made, PASSWORD_FILE), password, { mode: 0o600, flush: true });
    renameSync(made, dataDir);
    return identity;
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

function removeUnfinished(dataDir: string): void {
  const parent = path.dirname(dataDir);
  const unfinished = listIfThere(parent).filter((name) => name.startsWith(`${path.basename(dataDir)}${STAGING}`));
  for (const name of unfinished) rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 });
}

/** In its own process group: Ctrl-C reaches only us, and we stop the server with all of its children. */
function initdb(identity: ServerIdentity, command: readonly string[], signal?: AbortSignal): Promise<void> {
  const [file = '', ...args] = [...identity.wrapper, ...command];
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(file, args, {
      ...identity.spawnAs,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const endGroup = () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      if (process.platform === 'win32') child.kill();
      else process.kill(-child.pid, 'SIGTERM');
    };
    let output = '';
    const finish = (problem?: string) => {
      signal?.removeEventListener('abort', endGroup);
      process.removeListener('exit', endGroup);
      if (signal?.aborted) reject(signal.reason as Error);
      else if (problem === undefined) resolve();
      else reject(new ConfigurationError(setUpFailed(problem)));
    };
    signal?.addEventListener('abort', endGroup);
    process.once('exit', endGroup);
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => finish(messageOf(error)));
    child.once('close', (code) => finish(code === 0 ? undefined : lastWords(output)));
  });
}

function setUpFailed(problem: string): string {
  return `The embedded PostgreSQL could not be set up: ${problem}; set DATABASE_URL to a PostgreSQL server, or choose another DATA_DIR`;
}

function listIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
