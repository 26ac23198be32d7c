import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../setup/eventually.js';
import { openDatabase } from '../setup/test-database.js';
import type { Crowd } from '../setup/crowd.js';
import type { PatroniCluster } from './patroni-cluster.js';

export interface FaultOptions {
  /** How long a frozen node stays so. */
  readonly freezeMs: number;
}

/** Does its harm, and ends when the cluster is whole again. */
type Fault = (cluster: PatroniCluster, crowd: Crowd, options: FaultOptions) => Promise<void>;

export const FAULTS: Readonly<Record<string, Fault>> = {
  'the primary is killed': async (cluster) => {
    const lost = await cluster.leader();
    await lost.kill();
    await cluster.leader();
    lost.start();
    await cluster.whole();
  },
  'switched over by hand': async (cluster) => {
    await cluster.switchOver();
    await cluster.whole();
  },
  'the synchronous standby is frozen': freezeStandby,
  'the primary is cut off': async (cluster, _, { freezeMs }) => {
    const lost = await cluster.leader();
    lost.freeze();
    await eventually('another primary', async () => ![undefined, lost].includes(await cluster.primary()), {
      withinMs: 120_000,
    });
    await delay(freezeMs / 10);
    lost.thaw(); // it wakes up as a primary, and has to learn that it is none
    await cluster.whole();
  },
  'both are killed in turn': async (cluster, crowd) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const lost = await cluster.leader();
      await lost.kill();
      await cluster.leader();
      lost.start();
      await cluster.whole();
      const before = crowd.confirmed.length;
      await eventually('sales again', () => crowd.confirmed.length > before, { withinMs: 120_000 });
    }
  },
};

/**
 * Nothing may be acknowledged that the standby does not have. What waits for it is not visible on the primary either, so
 * what can be read there when the last replicated commit has become visible is all that may be acknowledged.
 */
async function freezeStandby(cluster: PatroniCluster, crowd: Crowd, { freezeMs }: FaultOptions): Promise<void> {
  await cluster.setStrict(true);
  const primary = await cluster.leader();
  const standby = await cluster.standby();
  const database = openDatabase(primary.url.replace(/\/postgres$/, '/checkout'));
  const visible = async () => {
    const rows = await database.query<{ id: string }>(`SELECT id FROM orders WHERE state = 'CONFIRMED'`);
    return new Set(rows.map(({ id }) => id));
  };
  try {
    standby.freeze();
    const frozenAt = performance.now();
    const replicated = await settled(visible);
    await delay(Math.max(0, freezeMs - (performance.now() - frozenAt)));
    const unreplicated = crowd.confirmed.filter(({ confirmed }) => !replicated.has(confirmed!));
    if (unreplicated.length > 0)
      throw new Error(`acknowledged although not replicated: ${JSON.stringify(unreplicated.slice(0, 3))}`);
  } finally {
    standby.thaw();
    await database.close();
  }
  await cluster.whole();
  await cluster.setStrict(false);
}

/** Commits that the standby has confirmed become visible within moments of each other: then nothing is added any more. */
async function settled(visible: () => Promise<Set<string>>): Promise<Set<string>> {
  let seen = await visible();
  return eventually(
    'that nothing is committed any more',
    async () => {
      const before = seen.size;
      await delay(1_000);
      seen = await visible();
      return seen.size === before && seen;
    },
    { withinMs: 30_000 },
  );
}
