import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemCodeOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';
import { birthOf, exists, isAlive } from './process-id.js';

/**
 * One instance per DATA_DIR, because a second one would use the same embedded server. Returns the function that
 * releases the lock.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}`;
  // Written to a temporary file and linked, so that a reader never sees half of it.
  writeFileSync(draft, `${process.pid}\n${birthOf(process.pid) ?? ''}\n`);
  try {
    while (!tryLink(draft, file)) {
      const text = readIfThere(file);
      const owner = ownerIn(text);
      if (owner !== undefined) throw new ConfigurationError(refusal(dataDir, owner));
      discard(file, text);
    }
    return () => rmSync(file, { force: true });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The pid of the instance that uses this DATA_DIR. */
export function runningOwner(dataDir: string): number | undefined {
  return ownerIn(readIfThere(fileIn(dataDir)));
}

function ownerIn(text: string): number | undefined {
  const [first = '', birth = ''] = text.split('\n');
  const pid = Number.parseInt(first, 10);
  if (!(pid > 0)) return undefined;
  // A pid alone is not enough: after a crash and a reboot it may belong to any other Node program.
  const isOurs = birth === '' ? pid !== process.pid && isAlive(pid, 'node') : exists(pid) && birthOf(pid) === birth;
  return isOurs ? pid : undefined;
}

function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Moved aside before it is removed: of two starts that found the same stale lock, the slower one must not remove the
 * new lock of the other.
 */
function discard(file: string, judged: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readIfThere(aside) !== judged) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'instance.pid');
}

function refusal(dataDir: string, owner: number): string {
  return `Another instance (pid ${owner}) already uses DATA_DIR ${dataDir}: stop it, choose another DATA_DIR, or set DATABASE_URL to share one database`;
}
