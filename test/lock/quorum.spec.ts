import { Logger } from '@nestjs/common';
import { SESSION_TIMEOUT_MS } from '../../src/lock/drivers/consensus/session-timeout.js';
import { scaled } from '../setup/scale.js';
import { runningMs, smallest } from '../setup/timing.js';
import { Buyers } from './buyers.js';
import { ConsensusBackend, startConsensusBackend } from './consensus-backend.js';

/** 13 for stores of three nodes, of which one may be missing. */
const LEADERS_KILLED = scaled(1, 10);

/** Longer than anybody waits: what was held when the nodes went must not be waited for when they are back. */
const LEASE_MS = 60_000;

describe.each(['etcd', 'zookeeper'] as const)('%s loses nodes under load', (kind) => {
  let backend: ConsensusBackend;
  let buyers: Buyers;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    backend = await startConsensusBackend(kind);
    buyers = await Buyers.start(backend.direct, {
      threshold: 5,
      commandTimeoutMs: SESSION_TIMEOUT_MS,
      leaseMs: LEASE_MS,
    });
  });
  afterAll(async () => {
    await buyers.stop();
    await backend.stop();
  });

  /** Milliseconds until they buy again. */
  async function killLeader(): Promise<number> {
    await buyers.allClosed();
    await buyers.moreSold();
    const leader = backend.cluster.nodes[await backend.cluster.leader()]!;
    await leader.kill();
    const from = runningMs();
    await buyers.moreSold();
    const pauseMs = runningMs() - from;
    leader.start();
    await backend.cluster.ready();
    return pauseMs;
  }

  it('one: they buy again within the session timeout; two: through Postgres, and back with the nodes', async () => {
    for (let round = 0; round < LEADERS_KILLED; round += 1) {
      expect(await smallest(SESSION_TIMEOUT_MS, killLeader)).toBeLessThan(SESSION_TIMEOUT_MS);
    }
    await buyers.allClosed();
    const [first, second] = backend.cluster.nodes;
    await Promise.all([first!.kill(), second!.kill()]);
    await buyers.allUse('postgres');
    await buyers.moreSold();
    await backend.restart();
    await buyers.allUse(kind);
    await buyers.allClosed();
    await buyers.moreSold();
    await buyers.expectConsistency();
    for (const count of await buyers.transitions('open')) expect(count).toBeGreaterThan(0);
    expect(await buyers.transitions('closed')).toEqual(await buyers.transitions('open'));
  });
});
