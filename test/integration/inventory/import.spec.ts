import { programOf } from '../../setup/programs.js';
import { scaled } from '../../setup/scale.js';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { starvedMs } from '../../setup/starvation.js';
import { createTestDatabase, TestDatabase } from '../../setup/test-database.js';
import { violations } from './inventory-fixture.js';

/** Small enough that a file held in memory, or rows that pile up, end the process. */
const MAX_HEAP_MB = 64;

describe('npm run import', () => {
  let database: TestDatabase;
  let directory: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    directory = mkdtempSync(path.join(tmpdir(), 'checkout-import-'));
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await database.drop();
  });

  async function run(file: string, heapMb = MAX_HEAP_MB) {
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, programOf('import'), file], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const since = performance.now();
    let starved = 0;
    const looking = setInterval(() => (starved = Math.max(starved, starvedMs(child.pid!))), 100);
    const [code] = (await once(child, 'close')) as [number];
    clearInterval(looking);
    return { code, out, err, seconds: (performance.now() - since - starved) / 1_000 };
  }

  function write(name: string, text: string): string {
    const file = path.join(directory, name);
    writeFileSync(file, text);
    return file;
  }

  it('imports, reports bad rows, and changes nothing the second time', async () => {
    const file = write(
      'goods.csv',
      [
        'sku,name,unitAmount,currency,group,onHand',
        'import-a,"A, with ""quotes""",100,EUR,g,5',
        'import-b,B,-1,EUR,,1',
        'import-c,C,300,EUR,,7',
        'import-a,A renamed,150,EUR,g,99',
      ].join('\n'),
    );
    const first = await run(file);
    expect(first).toMatchObject({ code: 1, err: expect.stringContaining('line 3: unitAmount') });
    expect(first.out).toContain('2 created, 1 changed, 0 unchanged, 1 rejected');
    expect(JSON.parse(readFileSync(`${file}.rejected.ndjson`, 'utf8'))).toMatchObject({
      line: 3,
      row: { sku: 'import-b' },
    });
    const skus = await database.query('SELECT sku, name, unit_amount, on_hand FROM skus ORDER BY sku');
    expect(skus).toEqual([
      { sku: 'import-a', name: 'A renamed', unit_amount: expect.anything(), on_hand: 5 },
      { sku: 'import-c', name: 'C', unit_amount: expect.anything(), on_hand: 7 },
    ]);
    const good = write(
      'goods.ndjson',
      [
        { sku: 'import-a', name: 'A renamed', unitAmount: 150, currency: 'EUR', group: 'g', onHand: 1 },
        { sku: 'import-c', name: 'C', unitAmount: 300, currency: 'EUR' },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    const again = await run(good);
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringContaining('0 created, 0 changed, 2 unchanged, 0 rejected'),
    ]);
    expect(existsSync(`${good}.rejected.ndjson`)).toBe(false);
    expect(await violations(database)).toEqual([]);
  });

  it('does not change the currency of what is reserved', async () => {
    await database.query(
      `INSERT INTO skus (sku, name, unit_amount, currency, on_hand) VALUES ('import-held', 'H', 1, 'EUR', 5)`,
    );
    await database.query(`UPDATE skus SET reserved = 1 WHERE sku = 'import-held'`);
    const file = write('held.ndjson', '{"sku":"import-held","name":"H","unitAmount":1,"currency":"USD"}\n');
    expect(await run(file)).toMatchObject({ code: 1, err: expect.stringContaining('currency') });
    await database.query(`DELETE FROM skus WHERE sku = 'import-held'`);
  });

  const bulk = scaled(20_000, 100_000);
  it(`takes ${bulk} rows at 3,000 a second at least, in little memory`, async () => {
    const rows = Array.from(
      { length: bulk },
      (_, n) => `bulk-${n},"Article ${n}, boxed",${n % 5_000},EUR,bulk,${n % 100}`,
    );
    const file = write('bulk.csv', `sku,name,unitAmount,currency,group,onHand\n${rows.join('\r\n')}\r\n`);
    const first = await run(file);
    expect(first.out).toContain(`${bulk} created, 0 changed, 0 unchanged, 0 rejected`);
    expect(first.err).toContain(`100 %, ${bulk} rows`);
    expect(first.seconds).toBeLessThan(bulk / 3_000); // as far as it was let run
    expect(await violations(database)).toEqual([]);
  });

  it.each([
    ['missing.csv', undefined, 'no such file'],
    ['goods.xls', 'x', '.csv or .ndjson'],
    ['header.csv', 'sku,nam\n', 'the header lacks'],
  ])('says why it cannot read %s', async (name, text, message) => {
    const file = text === undefined ? path.join(directory, name) : write(name, text);
    expect(await run(file)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
