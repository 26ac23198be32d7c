import { readFileSync, statSync } from 'node:fs';

export interface UnprivilegedUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data, so that data which an ordinary user
 * created stay theirs, or else as `postgres` or `nobody`.
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

/** Without users that are root under another name, and without macOS' `nobody` (-2), which chown rejects. */
function readAccounts(): UnprivilegedUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0);
}
