import type { LockDriver } from '../../lock-driver.js';
import { ConsensusDriver } from '../consensus/consensus.driver.js';
import { EtcdStore } from './etcd-store.js';

export function createEtcdDriver(urls: readonly string[], processId: string): LockDriver {
  return new ConsensusDriver(new EtcdStore(urls, processId));
}
