import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../src/infrastructure/database/embedded-postgres.js';

export async function startRedis(): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('Ready to accept') && resolve()),
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      const end = once(child, 'exit');
      child.kill('SIGTERM');
      await end;
    },
  };
}
