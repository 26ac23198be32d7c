import { existsSync, readFileSync } from 'node:fs';

/** The pid on the first line of a pid file. */
export function pidIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Alive, and the program we think it is: pids are reused, and after a reboot a stale file may name anybody. */
export function isAlive(pid: number, program: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (!existsSync('/proc/self/cmdline')) return true;
  try {
    // Empty for a zombie, which has ended already.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
  } catch {
    return false;
  }
}
