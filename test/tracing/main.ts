// npm run trace:picture: docs/trace.svg from a real run with two instances, one of which is killed.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { startCollector } from '../setup/otlp-collector.js';
import { drawTrace } from './picture.js';
import { declinedAfterTakeover } from './play.js';

const TARGET = path.resolve(import.meta.dirname, '../../docs/trace.svg');

const directory = mkdtempSync(path.join(tmpdir(), 'checkout-trace-'));
chmodSync(directory, 0o755);
const server = await startEmbeddedPostgres(path.join(directory, 'postgres'), {});
const collector = await startCollector();
try {
  const played = await declinedAfterTakeover(server.url, collector);
  writeFileSync(TARGET, drawTrace(played));
  process.stdout.write(`${path.relative(process.cwd(), TARGET)}: ${played.spans.length} spans of ${played.traceId}\n`);
} finally {
  await collector.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
