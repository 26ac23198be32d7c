import { Logger } from '@nestjs/common';
import { scaled } from '../setup/scale.js';
import { Backend, DriverKind, startBackend } from './backends.js';
import { describeExclusion } from './exclusion.cases.js';
import { describeFailures } from './failure.cases.js';
import { describeFencing } from './fencing.cases.js';
import { describeHeirs } from './heir.cases.js';
import { createLocks, Locks } from './locks.js';
import { describeProcesses } from './process.cases.js';
import { describeWaiting } from './waiting.cases.js';

/** What every case gets: the store, and instances of the service that end with the case. */
export interface Bench {
  readonly kind: DriverKind;
  /** The part of their rounds that long cases run. */
  readonly share: number;
  backend(): Backend;
  /** A key that no other case uses. */
  key(name: string): string;
  /** An instance of the service, straight to the store or through the wires. */
  open(route?: 'direct' | 'proxied'): Promise<Locks>;
}

/** What several servers or a disk have to agree to takes its time: the long cases run in full by `npm run test:drills`. */
const SHARES: Readonly<Record<DriverKind, number>> = {
  redis: 0.5,
  postgres: 0.25,
  redlock: 0.25,
  etcd: 0.1,
  zookeeper: 0.1,
};

/** Every case of the suite, by its number, against one driver on servers of its own. */
export function describeConformance(kind: DriverKind): void {
  describe(`lock conformance: ${kind}`, () => {
    let backend: Backend;
    let opened: Locks[] = [];
    let run = 0;
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => rejections.push(reason);

    beforeAll(async () => {
      Logger.overrideLogger(false); // lost leases and slow waits are the subject here
      process.on('unhandledRejection', onRejection);
      backend = await startBackend(kind);
    });
    beforeEach(() => {
      run += 1;
    });
    afterEach(async () => {
      await Promise.all(opened.map((locks) => locks.stop()));
      opened = [];
      expect(rejections).toEqual([]);
    });
    afterAll(async () => {
      await backend.stop();
      process.off('unhandledRejection', onRejection);
    });

    const bench: Bench = {
      kind,
      share: scaled(SHARES[kind], 1),
      backend: () => backend,
      key: (name) => `test:${kind}:${run}:${name}`,
      open: async (route = 'direct') => {
        const locks = await createLocks(backend[route]);
        opened.push(locks);
        return locks;
      },
    };
    describeProcesses(bench);
    describeExclusion(bench);
    describeFencing(bench);
    describeHeirs(bench);
    describeWaiting(bench);
    describeFailures(bench);
  });
}
