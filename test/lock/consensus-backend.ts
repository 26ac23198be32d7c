import { callEtcd, startEtcd } from '../setup/etcd-cluster.js';
import type { ServerCluster } from '../setup/server-cluster.js';
import { emptyZookeeper, startZookeeper } from '../setup/zookeeper-cluster.js';
import type { Backend, ConsensusKind, DriverSpec } from './backends.js';
import { TcpProxy } from './tcp-proxy.js';

export interface ConsensusBackend extends Backend {
  readonly cluster: ServerCluster;
}

/** Three real nodes. What they agreed on is on their disks and survives all of them. */
export async function startConsensusBackend(kind: ConsensusKind): Promise<ConsensusBackend> {
  const cluster = await (kind === 'etcd' ? startEtcd() : startZookeeper());
  const { nodes } = cluster;
  const wires = await Promise.all(nodes.map(({ port }) => TcpProxy.start(port)));
  const spec = (servers: readonly { readonly port: number }[]): DriverSpec => ({
    kind,
    urls: servers.map(({ port }) => (kind === 'etcd' ? `http://127.0.0.1:${port}` : `127.0.0.1:${port}`)),
  });
  return {
    kind,
    cluster,
    wires,
    direct: spec(nodes),
    proxied: spec(wires),
    pause: () => nodes.forEach((node) => node.pause()),
    resume: () => nodes.forEach((node) => node.resume()),
    kill: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
    },
    restart: async () => {
      nodes.forEach((node) => node.start());
      await cluster.ready();
    },
    flush: () => (kind === 'etcd' ? emptyEtcd(nodes[0]!.port) : emptyZookeeper(nodes[0]!.port)),
    // Waiters listen through the wires.
    dropListeners: () => {
      wires.forEach((wire) => wire.drop());
      return Promise.resolve();
    },
    stop: async () => {
      await Promise.all(wires.map((wire) => wire.stop()));
      await cluster.stop();
    },
  };
}

async function emptyEtcd(port: number): Promise<void> {
  const everything = { key: 'AA==', range_end: 'AA==' };
  await callEtcd(port, 'kv/deleterange', everything);
}
