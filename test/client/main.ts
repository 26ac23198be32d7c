import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startAppProcess } from '../setup/app-process.js';
import { buyOverBrokenWires } from './lost-answers.js';

/** `npm run test:lost-answers -- 200`: buyers whose connections are cut at a random byte, that often. */
const cuts = Number(process.argv[2] ?? 200);
const dataDir = mkdtempSync(path.join(tmpdir(), 'checkout-lost-answers-'));
chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user, who has to get in
const service = await startAppProcess({ DATA_DIR: dataDir });
try {
  const ordersOf = async (customerId: string) =>
    (await service.api.get(`/v1/orders?customerId=${customerId}`, { key: 'admin' })).body.items;
  const told = await buyOverBrokenWires(service.api, ordersOf, cuts);
  console.log(JSON.stringify(told));
  const { body } = await service.api.get('/v1/invariants', { key: 'admin' });
  process.exitCode = told.wrong.length === 0 && body.ok ? 0 : 1;
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
