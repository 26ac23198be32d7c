import { type Haproxy, runHaproxy } from '../setup/haproxy.js';
import type { PatroniNode } from './patroni-cluster.js';

/** HAProxy as Patroni's documentation has it: asks each node whether it is the primary, and ends sessions with one that is not. */
export function startTcpBalancer(nodes: readonly PatroniNode[]): Promise<Haproxy> {
  return runHaproxy((port) => configuration(port, nodes));
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
