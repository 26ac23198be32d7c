import { realpathSync, Stats, statSync } from 'node:fs';
import path from 'node:path';
import { systemCodeOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a file is in the way',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'it is in use',
};

/** A folder that cannot be used is the user's to change: one line with the path, its owner and its mode. */
export function explainFolder(dataDir: string, error: unknown): unknown {
  const reason = REASONS[systemCodeOf(error) ?? ''];
  const file = (error as NodeJS.ErrnoException).path;
  if (reason === undefined || typeof file !== 'string' || !isRelated(dataDir, file)) return error;
  return new ConfigurationError(
    `DATA_DIR ${dataDir} cannot be used: ${reason} (${describeNearest(file)}${currentUser()}); choose another DATA_DIR, or set it right`,
    { cause: error },
  );
}

/** The topmost folder on the way to `folder`, or itself, that the modes close to this user; undefined if all are open. */
export function firstClosedFolder(folder: string, user: { uid: number; gid: number }): string | undefined {
  const parents = [realpathSync(folder)];
  for (let at = realpathSync(folder); path.dirname(at) !== at; at = path.dirname(at)) parents.unshift(path.dirname(at));
  const closed = parents.find((parent) => {
    const stats = statSync(parent, { throwIfNoEntry: false });
    return stats !== undefined && !mayEnter(stats, user);
  });
  return closed === undefined ? undefined : `${closed} (${describe(statSync(closed))})`;
}

function mayEnter(stats: Stats, { uid, gid }: { uid: number; gid: number }): boolean {
  if (stats.uid === uid) return (stats.mode & 0o100) !== 0;
  return (stats.mode & (stats.gid === gid ? 0o010 : 0o001)) !== 0;
}

/** The path may be above DATA_DIR, because missing parents are made as well. */
function isRelated(dataDir: string, file: string): boolean {
  const [folder, other] = [path.resolve(dataDir), path.resolve(file)];
  return other.startsWith(folder) || folder.startsWith(other);
}

function describeNearest(file: string): string {
  for (let at = path.resolve(file); ; at = path.dirname(at)) {
    const stats = statOf(at);
    if (stats || path.dirname(at) === at) return `${at}: ${stats ? describe(stats) : 'not there'}`;
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function describe({ uid, mode }: Stats): string {
  return `owner uid ${uid}, mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`;
}

function currentUser(): string {
  return process.getuid ? `; this is uid ${process.getuid()}` : '';
}
