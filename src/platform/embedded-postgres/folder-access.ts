import { realpathSync, Stats, statSync } from 'node:fs';
import path from 'node:path';
import { pathOf, systemCodeOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';

const DENIED = new Set(['EACCES', 'EPERM']);
const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'it is read-only',
  ENOENT: 'it cannot be made there', // mkdir's error for a missing folder on a read-only disk
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a file is in the way',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'it is in use',
};
const SHOWN_LENGTH = 200;

/**
 * Only the user can fix a folder that cannot be used, so the error is one line that names the folder and the reason.
 */
export function explainFolder(dataDir: string, error: unknown): unknown {
  const code = systemCodeOf(error) ?? '';
  const file = pathOf(error);
  if (file === undefined || !isRelated(dataDir, file)) return error;
  const nearest = nearestExisting(file);
  const reason = DENIED.has(code) ? `${currentUser()} may not use ${nearest}` : REASONS[code];
  if (reason === undefined) return error;
  const where = brief(path.resolve(dataDir));
  return new ConfigurationError(`DATA_DIR ${where} cannot be used: ${reason}; choose another DATA_DIR`, {
    cause: error,
  });
}

/** The topmost folder on the path to `folder` whose mode excludes this user; undefined if there is none. */
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

/** The path may be above DATA_DIR, because missing parents are created too. */
function isRelated(dataDir: string, file: string): boolean {
  const [folder, other] = [path.resolve(dataDir), path.resolve(file)];
  return other.startsWith(folder) || folder.startsWith(other);
}

function nearestExisting(file: string): string {
  for (let at = path.resolve(file); ; at = path.dirname(at)) {
    const stats = statOf(at);
    if (stats || path.dirname(at) === at) return `${brief(at)}${stats ? ` (${describe(stats)})` : ''}`;
  }
}

function brief(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
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
  return process.getuid ? `uid ${process.getuid()}` : 'this user';
}
