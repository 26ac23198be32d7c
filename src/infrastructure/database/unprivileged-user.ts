import { readFileSync } from 'node:fs';

export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root lends it the identity of `postgres`, or of `nobody` where there is none. */
export function unprivilegedUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account) return { uid: 65_534, gid: 65_534 };
  return { uid: Number(account[2]), gid: Number(account[3]) };
}
