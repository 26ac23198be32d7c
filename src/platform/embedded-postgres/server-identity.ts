import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';
import { firstClosedFolder } from './folder-access.js';
import { UnprivilegedUser, unprivilegedUser } from './unprivileged-user.js';

/** The user as which PostgreSQL's programs run, and who owns their files. */
export interface ServerIdentity {
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly spawnAs: { readonly uid?: number; readonly gid?: number };
  /** A program that changes the user and then executes another one in its place, so that the pid stays the same. */
  readonly wrapper: readonly string[];
}

const PROBE_TIMEOUT_MS = 10_000;
const PROBE = 'cd "$1" && test -w . && exec "$2" --version';

/**
 * An ordinary user runs PostgreSQL as itself. Root uses the first of these ways in which both the programs and `folder`
 * are usable; `folder` is then given to that way's user.
 */
export function chooseIdentity(folder: string, postgres: string): ServerIdentity {
  const user = unprivilegedUser(path.join(folder, 'PG_VERSION'));
  if (!user) return { spawnAs: {}, wrapper: [] };
  const failures: string[] = [];
  for (const way of waysOf(user)) {
    const failure = probe(way, folder, postgres);
    if (failure === undefined) return way;
    failures.push(failure);
  }
  throw new ConfigurationError(refusal(user, folder, postgres, failures[0] ?? ''));
}

/** Gives a file to the user that the server runs as. */
export function giveTo(identity: ServerIdentity, file: string): void {
  if (identity.owner) chownSync(file, identity.owner.uid, identity.owner.gid);
}

/**
 * 1. A plain change of user. 2. The same with one capability, if a parent folder is closed to that user (a project
 * below /root): to read and search, or, if root itself lacks that (Docker's default), to ignore modes. 3. A user
 * namespace, if there is no other user: the server keeps root's files but sees another user. Changing the mode of the
 * closed folder, or copying programs and data elsewhere, is not our decision.
 */
function waysOf(user: UnprivilegedUser): ServerIdentity[] {
  const owner = { uid: user.uid, gid: user.gid };
  const map = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  return [
    { owner, spawnAs: owner, wrapper: [] },
    { owner, spawnAs: {}, wrapper: withCapability(user, 'dac_read_search') },
    { owner, spawnAs: {}, wrapper: withCapability(user, 'dac_override') },
    { owner: { uid: 0, gid: 0 }, spawnAs: {}, wrapper: map },
  ];
}

/** Without `no_setuid_fixup`, access(2) ignores the capability, and PostgreSQL considers its own programs unusable. */
function withCapability({ uid, gid }: UnprivilegedUser, capability: string): string[] {
  const only = `-all,+${capability}`;
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
    `--bounding-set=${only}`,
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
    '--',
  ];
}

/**
 * Why this way does not work, if it does not. Tested by running it, because modes do not show ACLs, mounts and seccomp
 * filters.
 */
function probe(way: ServerIdentity, folder: string, postgres: string): string | undefined {
  try {
    takeOver(way, folder);
    const [file, ...args] = [...way.wrapper, '/bin/sh', '-c', PROBE, 'sh', folder, postgres];
    const { status, error, stderr } = spawnSync(file, args, {
      ...way.spawnAs,
      cwd: '/',
      encoding: 'utf8',
      timeout: PROBE_TIMEOUT_MS,
    });
    if (error) throw error;
    return status === 0 ? undefined : (stderr.trim().split('\n')[0] ?? '');
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * PostgreSQL refuses data of another owner. PG_VERSION is changed last: while it has the old owner, the change is not
 * complete.
 */
function takeOver(way: ServerIdentity, folder: string): void {
  if (!way.owner) return;
  const { uid, gid } = way.owner;
  chownSync(folder, uid, gid);
  const mark = path.join(folder, 'PG_VERSION');
  const marked = statSync(mark, { throwIfNoEntry: false });
  if (!marked || marked.uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (entry !== 'PG_VERSION') lchownSync(path.join(folder, entry), uid, gid);
  }
  chownSync(mark, uid, gid);
}

function refusal(user: UnprivilegedUser, folder: string, postgres: string, failure: string): string {
  const name = `user ${user.name || 'without a name'} (uid ${user.uid})`;
  const before = `The embedded PostgreSQL refuses to run as root, and ${name}, whose identity root lends it,`;
  const closed = firstClosedFolder(path.dirname(postgres), user);
  if (closed)
    return `${before} may not enter ${closed}, where its programs are: run as an ordinary user, move the project, or set DATABASE_URL`;
  const above = firstClosedFolder(path.dirname(folder), user);
  if (above)
    return `${before} may not enter ${above}, where the data is: run as an ordinary user, choose another DATA_DIR, or set DATABASE_URL`;
  return `${before} cannot use it here (${failure}): run as an ordinary user, choose another DATA_DIR, or set DATABASE_URL`;
}
