import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from '../setup/debian-package.js';
import type { PatroniNode } from './patroni-cluster.js';

export interface TcpBalancer {
  readonly port: number;
  stop(): Promise<void>;
}

/** HAProxy as Patroni's documentation has it: asks each node whether it is the primary, and ends sessions with one that is not. */
export async function startTcpBalancer(nodes: readonly PatroniNode[]): Promise<TcpBalancer> {
  const port = await freePort();
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-ha-balancer-'));
  const file = path.join(directory, 'haproxy.cfg');
  writeFileSync(file, configuration(port, nodes));
  const child = spawn(requireProgram('haproxy', 'haproxy'), ['-db', '-f', file], { stdio: 'ignore' });
  return {
    port,
    stop: async () => {
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, nodes: readonly PatroniNode[]): string {
  const servers = nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.apiPort}`);
  return `
defaults
  mode tcp
  timeout connect 4s
  timeout check 3s
  timeout client 30m
  timeout server 30m
  retries 2
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500 fastinter 200 fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
