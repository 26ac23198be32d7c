import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One server of a cluster. Its data and its port outlive its process. */
export interface ClusterNode {
  readonly port: number;
  /** Comes back when the process runs, not when it serves. */
  start(): void;
  /** SIGKILL: no goodbye to clients and peers. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
}

export interface ServerCluster {
  readonly nodes: readonly ClusterNode[];
  /** Until a majority serves. */
  ready(): Promise<void>;
  /** The index of the node that leads. */
  leader(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * A folder in memory, where there is one: these servers wait for the disk at every write, which would make a test of
 * locks a test of the disk.
 */
export function clusterDirectory(prefix: string, isInMemory = true): { path: string; remove(): void } {
  const parent = isInMemory && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(path.join(parent, prefix));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the nodes, and comes back when a majority of them serves. */
export async function startCluster(
  nodes: readonly ClusterNode[],
  folder: { remove(): void },
  { ready, leader }: Pick<ServerCluster, 'ready' | 'leader'>,
): Promise<ServerCluster> {
  nodes.forEach((node) => node.start());
  await ready();
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    folder.remove();
  };
  return { nodes, ready, leader, stop };
}

export function clusterNode(port: number, program: string, args: readonly string[]): ClusterNode {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = () => child?.kill('SIGKILL');
  return {
    port,
    start: () => {
      if (isRunning()) return;
      child = spawn(program, args, { stdio: 'ignore' });
      process.on('exit', end);
    },
    kill: async () => {
      process.off('exit', end);
      if (!child || !isRunning()) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}
