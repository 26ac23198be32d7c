import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from './debian-package.js';
import { eventually } from './eventually.js';
import { clusterDirectory, clusterNode, ServerCluster, startCluster } from './server-cluster.js';

const NODES = 3;

/** Real etcd servers on free ports. Their elections are as quick as the defaults of etcd make them. */
export async function startEtcd({ isInMemory = true } = {}): Promise<ServerCluster> {
  const program = requireProgram('etcd', 'etcd-server');
  const folder = clusterDirectory('etcd-', isInMemory);
  const ports = await Promise.all(Array.from({ length: NODES }, async () => [await freePort(), await freePort()]));
  const members = ports.map(([, peer], index) => `n${index}=http://127.0.0.1:${peer}`).join(',');
  const nodes = ports.map(([client = 0, peer], index) =>
    clusterNode(client, program, [
      ...['--name', `n${index}`, '--data-dir', path.join(folder.path, `n${index}`)],
      ...[
        '--listen-client-urls',
        `http://127.0.0.1:${client}`,
        '--advertise-client-urls',
        `http://127.0.0.1:${client}`,
      ],
      ...[
        '--listen-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peer}`,
      ],
      ...['--initial-cluster', members, '--initial-cluster-token', folder.path],
    ]),
  );
  return startCluster(nodes, folder, {
    ready: async () => {
      await eventually('a majority of etcd', async () => {
        const serving = await Promise.all(nodes.map(({ port }) => isServing(port)));
        return serving.filter(Boolean).length > NODES / 2;
      });
    },
    leader: () =>
      eventually('a leader of etcd', async () => {
        const statuses = await Promise.all(nodes.map(({ port }) => statusOf(port)));
        const index = statuses.findIndex((status) => status?.leader !== undefined && status.leader === status.id);
        return index < 0 ? undefined : index;
      }),
  });
}

export async function callEtcd(port: number, method: string, body: object): Promise<any> {
  const signal = AbortSignal.timeout(1_000);
  const answer = await fetch(`http://127.0.0.1:${port}/v3/${method}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal,
  });
  return answer.json();
}

/** A linearizable read: only a node that can reach a majority answers it. */
async function isServing(port: number): Promise<boolean> {
  const answer = await callEtcd(port, 'kv/range', { key: Buffer.from('ready').toString('base64') }).catch(() => ({}));
  return answer.header !== undefined;
}

async function statusOf(port: number): Promise<{ id: string; leader: string } | undefined> {
  const answer = await callEtcd(port, 'maintenance/status', {}).catch(() => ({}));
  return answer.header && { id: answer.header.member_id, leader: answer.leader };
}
