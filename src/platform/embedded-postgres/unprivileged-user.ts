import { readFileSync, statSync } from 'node:fs';

export interface UnprivilegedUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root lends it an identity: that of the data's owner, so that data which an ordinary
 * user made stays theirs, else that of `postgres`, or of `nobody` where there is none.
 */
export function unprivilegedUser(ownedFile?: string): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  const owner = ownedFile === undefined ? undefined : statSync(ownedFile, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) {
    const name = accounts.find(({ uid }) => uid === owner.uid)?.name ?? '';
    return { name, uid: owner.uid, gid: owner.gid };
  }
  const byName = (name: string) => accounts.find((account) => account.name === name);
  return byName('postgres') ?? byName('_postgres') ?? byName('nobody') ?? { name: '', uid: 65_534, gid: 65_534 };
}

/** Without those that are root by another name, and macOS' `nobody` (-2), which chown does not take. */
function readAccounts(): UnprivilegedUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0);
}
