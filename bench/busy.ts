import { type ChildProcess, spawn } from 'node:child_process';

/** Endless loops beside the measurement: a newcomer's machine is busy, and a server has neighbours. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, (): ChildProcess => spawn('sh', ['-c', 'while :; do :; done']));
  const stop = () => {
    for (const loop of loops) loop.kill('SIGKILL');
    process.removeListener('exit', stop);
  };
  process.once('exit', stop);
  return stop;
}
