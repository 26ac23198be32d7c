import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { getChildren, remove } from '../../src/lock/drivers/zookeeper/zookeeper-messages.js';
import { RECORD_PARENTS } from '../../src/lock/drivers/zookeeper/zookeeper-names.js';
import { ZookeeperSession } from '../../src/lock/drivers/zookeeper/zookeeper-session.js';
import { requireFile, requireProgram } from './debian-package.js';
import { eventually } from './eventually.js';
import { clusterDirectory, clusterNode, ServerCluster, startCluster } from './server-cluster.js';

const NODES = 3;
/** A start costs a second of a processor: no optimizing compiler, the smallest collector, no web server. */
const JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx96m'];
const PROPERTIES = ['-Dzookeeper.admin.enableServer=false', '-Dzookeeper.4lw.commands.whitelist=srvr'];
const TICK_MS = 500;

/** Real ZooKeeper servers on free ports. */
export async function startZookeeper({ isInMemory = true } = {}): Promise<ServerCluster> {
  const java = requireProgram('java', 'default-jre-headless');
  const jar = requireFile('/usr/share/java/zookeeper.jar', 'libzookeeper-java');
  const folder = clusterDirectory('zookeeper-', isInMemory);
  const ports = await Promise.all(
    Array.from({ length: NODES }, () => Promise.all([freePort(), freePort(), freePort()])),
  );
  const members = ports.map(([, peer, election], index) => `server.${index + 1}=127.0.0.1:${peer}:${election}`);
  const nodes = ports.map(([port], index) => {
    const data = path.join(folder.path, `n${index}`);
    mkdirSync(data);
    writeFileSync(path.join(data, 'myid'), String(index + 1));
    const file = path.join(folder.path, `n${index}.cfg`);
    const settings = [`tickTime=${TICK_MS}`, 'initLimit=40', 'syncLimit=10', `dataDir=${data}`, 'maxClientCnxns=0'];
    writeFileSync(file, [...settings, `clientPort=${port}`, 'clientPortAddress=127.0.0.1', ...members].join('\n'));
    const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    return clusterNode(port, java, [...JVM, ...PROPERTIES, '-cp', jar, main, file]);
  });
  const modes = () => Promise.all(nodes.map(({ port }) => modeOf(port)));
  return startCluster(nodes, folder, {
    ready: async () => {
      await eventually('a majority of ZooKeeper', async () => (await modes()).filter(Boolean).length > NODES / 2);
    },
    leader: () =>
      eventually('a leader of ZooKeeper', async () => {
        const index = (await modes()).indexOf('leader');
        return index < 0 ? undefined : index;
      }),
  });
}

/** What the server says it is, if it serves. */
function modeOf(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write('srvr'));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(/^Mode: (\w+)/m.exec(answer)?.[1]));
  });
}

/** Deletes every record of the locks. */
export async function emptyZookeeper(port: number): Promise<void> {
  const prepare = () => Promise.resolve();
  const handlers = { prepare, ready: () => undefined, event: () => undefined };
  const session = new ZookeeperSession([`127.0.0.1:${port}`], 4_000, handlers);
  await session.start();
  for (const parent of RECORD_PARENTS) {
    for (const name of await session.request(getChildren(parent))) {
      await session.request(remove(`${parent}/${name}`, -1));
    }
  }
  await session.stop();
}
