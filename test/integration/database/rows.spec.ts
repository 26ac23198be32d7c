import pg from 'pg';
import { overEveryRow, overRows } from '../../../src/platform/postgres/rows.js';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { GuardFailedError } from '../../../src/platform/postgres/tx.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';

interface Thing {
  readonly id: string;
  readonly count: number | null;
  readonly isLarge?: boolean;
  readonly madeAt?: Date;
  readonly label?: string | null;
  readonly detail?: unknown;
  readonly notes: readonly unknown[];
}

const ECHO = overRows<Thing>(
  'test.echo',
  {
    id: 'text',
    count: 'int',
    isLarge: 'boolean',
    madeAt: 'timestamptz',
    label: 'text',
    detail: 'json',
    notes: 'jsonl',
  },
  (given) => `SELECT * FROM ${given}`,
);

const MARK = overEveryRow<Pick<Thing, 'id' | 'count'>>(
  'test.mark',
  { id: 'text', count: 'int' },
  (given) => `UPDATE test_things SET count = given.count FROM ${given} WHERE test_things.id = given.id`,
);

/** Whatever has a meaning on the way: quotes, backslashes, braces, separators, line ends, and none of it. */
const AWKWARD = ['', 'plain', '"', '\\', '\\"', '{a,b}', 'NULL', 'null', 'ä€𝄞', 'a\nb', '\u001e', '\u001f', '  ', "'"];

describe('rows as columns', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let runner: TransactionRunner;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    runner = new TransactionRunner(pool);
    await database.query(`CREATE TABLE test_things (id text PRIMARY KEY, count int)`);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const echo = (rows: readonly Thing[]) => runner.query<pg.QueryResultRow>(...ECHO.over(rows));

  it('arrive as they were, whatever they contain', async () => {
    const madeAt = new Date('2026-11-16T12:00:00.123Z');
    const rows = AWKWARD.map((text, index) => ({
      id: text,
      count: index,
      isLarge: index % 2 === 0,
      madeAt,
      label: text,
      detail: { [text]: [text, { text }, index, null] },
      notes: [{ text }, text, index],
    }));
    const lines = rows.map(({ notes, ...row }) => ({
      ...row,
      notes: notes.map((n) => `${JSON.stringify(n)}\n`).join(''),
    }));
    expect(await echo(rows)).toEqual(lines);
    for (const [index, row] of rows.entries()) expect(await echo([row])).toEqual([lines[index]]);
  });

  it.each([1, 3])('keep what is missing apart from what is empty, in a list of %i', async (count) => {
    const nothing = { id: 'x', count: null, label: null, detail: undefined, notes: [] };
    const [row] = await echo(Array.from({ length: count }, () => nothing));
    expect(row).toEqual({ id: 'x', count: null, isLarge: null, madeAt: null, label: null, detail: null, notes: null });
    const [empty] = await echo(Array.from({ length: count }, () => ({ ...nothing, label: '', detail: '' })));
    expect(empty).toMatchObject({ label: '', detail: '' });
  });

  it('may be none', async () => {
    expect(await echo([])).toEqual([]);
  });

  it('refuse the transaction if not every one of them is there', async () => {
    await database.query(`INSERT INTO test_things VALUES ('a', 0), ('b', 0)`);
    const mark = (ids: readonly string[]) =>
      runner.run((tx) => {
        tx.expect(...MARK.over(ids.map((id) => ({ id, count: 1 }))));
        return Promise.resolve();
      });
    await expect(mark(['a', 'c'])).rejects.toBeInstanceOf(GuardFailedError);
    expect(await database.query(`SELECT sum(count)::int AS sum FROM test_things`)).toEqual([{ sum: 0 }]);
    await mark(['a', 'b']);
    expect(await database.query(`SELECT sum(count)::int AS sum FROM test_things`)).toEqual([{ sum: 2 }]);
  });
});
