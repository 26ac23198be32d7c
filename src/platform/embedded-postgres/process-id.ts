import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { systemCodeOf } from '../../common/error-message.js';

/** The pid on the first line of a pid file. */
export function pidIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/**
 * Whether the pid is alive and runs the expected program: pids are reused, and after a reboot a stale file may name any
 * process.
 */
export function isAlive(pid: number, program: string): boolean {
  if (!exists(pid)) return false;
  if (!hasProc()) return true;
  // Empty for a zombie, which has ended already.
  return readProc(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes(program) ?? false;
}

export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}

/**
 * A PostgreSQL server's working directory is its data folder. Unlike its arguments, that identifies it even after the
 * folder was moved.
 */
export function isServerOf(dataDir: string, pid: number): boolean {
  if (!isAlive(pid, 'postgres')) return false;
  if (!hasProc()) return ps(pid, 'command')?.includes(dataDir) ?? true;
  return readProc(() => readlinkSync(`/proc/${pid}/cwd`)) === realpathSync(dataDir);
}

/**
 * A text that identifies a living process among all that ever had its pid; undefined on systems that do not provide it.
 */
export function birthOf(pid: number): string | undefined {
  if (!hasProc()) return ps(pid, 'lstart');
  const stat = readProc(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const boot = readProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  // The name in parentheses may contain anything, so fields are counted from behind it. The 22nd is the start time in
  // ticks.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : `${boot ?? ''}/${fields[19] ?? ''}`;
}

function hasProc(): boolean {
  return existsSync('/proc/self/cmdline');
}

function readProc(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C' };
  return readProc(() => execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { env, encoding: 'utf8' }).trim());
}
