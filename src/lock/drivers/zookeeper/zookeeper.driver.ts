import type { LockDriver } from '../../lock-driver.js';
import { ConsensusDriver } from '../consensus/consensus.driver.js';
import { ZookeeperStore } from './zookeeper-store.js';

export function createZookeeperDriver(urls: readonly string[], processId: string): LockDriver {
  return new ConsensusDriver(new ZookeeperStore(urls, processId));
}
