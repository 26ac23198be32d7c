import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where Debian puts servers, which is not on every user's PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/lib/postgresql/15/bin'];
const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), ...SERVER_FOLDERS];

export function isRunnable(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The program's path; as root on Debian its package is installed first, where it is missing. */
export function findProgram(name: string, packageName: string): string | undefined {
  return pathOf(name) ?? (install(packageName) ? pathOf(name) : undefined);
}

/** For tests, which never skip. */
export function requireProgram(name: string, packageName: string): string {
  const program = findProgram(name, packageName);
  if (program === undefined) throw new Error(`This test needs ${name}: install the package ${packageName}.`);
  return program;
}

/** The same for what is not a program. */
export function requireFile(file: string, packageName: string): string {
  if (!existsSync(file) && !(install(packageName) && existsSync(file))) {
    throw new Error(`This test needs ${file}: install the package ${packageName}.`);
  }
  return file;
}

function pathOf(name: string): string | undefined {
  return FOLDERS.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Its service is not started: `policy-rc.d` semantics through RUNLEVEL. Test files that run side by side take turns. */
function install(packageName: string): boolean {
  if (process.getuid?.() !== 0 || !isRunnable('apt-get', '--version')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const locked = (...args: string[]) =>
    execFileSync('flock', ['/tmp/checkout-saga-apt.lock', 'apt-get', ...args], { env, stdio: 'ignore' });
  try {
    locked('update');
    locked('install', '-y', '--no-install-recommends', packageName);
    return true;
  } catch {
    return false;
  }
}
