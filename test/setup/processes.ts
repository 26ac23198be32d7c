import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes that work in a folder or were given it: PostgreSQL's children say only by the former where they belong. */
export function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/cwd')) return listed().filter((line) => line.includes(folder));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `${pid} ${textOf(() => readlinkSync(`/proc/${pid}/cwd`))} ${commandOf(pid)}`)
    .filter((line) => line.includes(folder));
}

function listed(): string[] {
  return execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
}

function commandOf(pid: string): string {
  return textOf(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
}

/** A process may end while we look, and those of others may be closed to us. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
