import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from './debian-package.js';
import { eventually } from './eventually.js';

/** In every answer of the balancer: `instance` and the number of the instance that it came from. */
export const SERVED_BY = 'x-served-by';

export interface Haproxy {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** HAProxy with a configuration of the caller's, which may write further files into the directory. */
export async function runHaproxy(configuration: (port: number, directory: string) => string): Promise<Haproxy> {
  const port = await freePort();
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-haproxy-'));
  const file = path.join(directory, 'haproxy.cfg');
  writeFileSync(file, configuration(port, directory));
  const child = spawn(requireProgram('haproxy', 'haproxy'), ['-db', '-f', file], { stdio: 'ignore' });
  return {
    port,
    pid: child.pid!,
    stop: async () => {
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface HttpBalancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real HTTP balancer over instances that it asks for their readiness. It hides no failure: it tries nothing twice. */
export async function startHaproxy(ports: readonly number[]): Promise<HttpBalancer> {
  const { port, stop } = await runHaproxy((own) => configuration(own, ports));
  const url = `http://127.0.0.1:${port}`;
  await eventually('a balancer with an instance behind it', async () => {
    const answer = await fetch(`${url}/health/live`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200 || undefined;
  });
  return { url, stop };
}

function configuration(port: number, ports: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout check 30s
  timeout client 60s
  timeout server 60s
  retries 0
frontend shop
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  balance roundrobin
  option httpchk GET /health/ready
  http-response set-header ${SERVED_BY} %s
${ports.map((each, index) => `  server instance${index} 127.0.0.1:${each} check inter 200 fall 1 rise 1`).join('\n')}
`;
}
