import { Logger } from '@nestjs/common';
import { Backend, startBackend } from './backends.js';
import { Buyers } from './buyers.js';

/** 13. Does not apply to the postgres driver: it is what the others fall back to. For etcd and ZooKeeper see quorum.spec.ts. */
describe.each(['redis', 'redlock'] as const)('13: %s → postgres and back under load', (kind) => {
  let backend: Backend;
  let buyers: Buyers;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    backend = await startBackend(kind);
    buyers = await Buyers.start(backend.direct, { threshold: 3, commandTimeoutMs: 10_000, leaseMs: 1_000 });
  });
  afterAll(async () => {
    await buyers.stop();
    await backend.stop();
  });

  it('no oversell, no request hangs, breaker transitions are counted', async () => {
    await buyers.moreSold();
    await backend.kill();
    await buyers.allUse('postgres');
    await buyers.moreSold();
    await backend.restart();
    await buyers.allUse(kind);
    await buyers.allClosed();
    await buyers.moreSold();
    await buyers.allUse(kind);
    await buyers.expectConsistency();
    for (const to of ['open', 'returning', 'closed']) expect(await buyers.transitions(to)).toEqual([1, 1]);
  });
});
