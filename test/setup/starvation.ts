import { readFileSync } from 'node:fs';

/**
 * For how long a process could have run and was not let: what another process does with the processor is not its doing. Of
 * its main thread, or of the thread that asks; nothing where the system does not say.
 */
export function starvedMs(pid: number | 'thread-self'): number {
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1_000_000;
  } catch {
    return 0;
  }
}
