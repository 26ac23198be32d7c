import { randomUUID } from 'node:crypto';
import { newId } from '../../../src/common/id.js';
import { statement } from '../../../src/platform/postgres/statement.js';
import type { Tx } from '../../../src/platform/postgres/tx.js';
import {
  type LocalAction,
  remote,
  type RemoteAction,
  type RetryPolicy,
  type SagaDefinition,
  type SagaStep,
} from '../../../src/saga/saga-definition.js';
import { SagaEngine, type SagaTicket } from '../../../src/saga/engine/saga-engine.service.js';
import { SagaRegistry } from '../../../src/saga/saga-registry.js';
import type { StepContext } from '../../../src/saga/step-context.js';
import type { TestApp } from '../../setup/test-app.js';
import type { TestDatabase } from '../../setup/test-database.js';

/** A saga about nothing: its steps write what they did into a table of the test's own. */
export interface Toy {
  readonly id: string;
  readonly note?: string;
}

export type ToyRun = StepContext<Toy>;

export const QUICK: RetryPolicy = { maxAttempts: 3, baseMs: 5, capMs: 20 };

const EFFECT = statement('toy.effect', `INSERT INTO toy_effects (saga_id, effect) SELECT unnest($1::uuid[]), $2`);

export async function createToyTable(database: TestDatabase): Promise<void> {
  await database.query(
    `CREATE TABLE toy_effects (id bigint GENERATED ALWAYS AS IDENTITY, saga_id uuid NOT NULL, effect text NOT NULL CHECK (effect <> 'forbidden'))`,
  );
}

export function leave(tx: Tx, batch: readonly ToyRun[], effect: string): Promise<void> {
  if (batch.length > 0) tx.send(EFFECT, [batch.map(({ data }) => data.id), effect]);
  return Promise.resolve();
}

export function local(run: (tx: Tx, batch: readonly ToyRun[]) => Promise<void>): LocalAction<Toy> {
  return { kind: 'local', run };
}

export function step(name: string, parts: Partial<SagaStep<Toy>> = {}): SagaStep<Toy> {
  return {
    name,
    retry: QUICK,
    timeoutMs: 2_000,
    execute: local((tx, batch) => leave(tx, batch, name)),
    compensate: local((tx, batch) => leave(tx, batch, `compensate ${name}`)),
    ...parts,
  };
}

/** A remote action whose other side is a function; it records the answer as an effect. */
export function calling(
  call: (run: ToyRun, signal: AbortSignal) => Promise<string>,
  parts: Partial<RemoteAction<Toy, string>> = {},
): RemoteAction<Toy> {
  return remote<Toy, string>({
    kind: 'remote',
    call: (run, { signal }) => call(run, signal),
    resolve: () => Promise.resolve(undefined),
    record: async (tx, answers) => {
      for (const { run, result } of answers) await leave(tx, [run], `answer ${result}`);
    },
    ...parts,
  });
}

export function saga(steps: readonly SagaStep<Toy>[], version = 1, name = `toy-${randomUUID()}`): SagaDefinition<Toy> {
  return { name, version, steps };
}

/** Registers the definition with this instance, unless it is known there, and starts one saga of it. */
export function start({ app }: TestApp, definition: SagaDefinition<Toy>, note?: string): SagaTicket<Toy> {
  register({ app }, definition);
  const id = newId();
  return app.get(SagaEngine).start(definition, { id, subject: id, data: { id, ...(note !== undefined && { note }) } });
}

export function register({ app }: Pick<TestApp, 'app'>, definition: SagaDefinition<Toy>): void {
  const registry = app.get(SagaRegistry);
  if (!registry.find(definition.name, definition.version)) registry.register(definition);
}

export async function effectsOf(database: TestDatabase, sagaId: string): Promise<string[]> {
  const rows = await database.query<{ effect: string }>(
    `SELECT effect FROM toy_effects WHERE saga_id = $1 ORDER BY id`,
    [sagaId],
  );
  return rows.map(({ effect }) => effect);
}

export interface StoredSaga {
  readonly state: string;
  readonly phase: string;
  readonly position: number;
  readonly attempts: number;
  readonly epoch: number;
  readonly owner: string | null;
  readonly failure: { code: string; detail: string } | null;
  readonly log: { step: string; phase?: string; result?: string; error?: string; at: number }[];
}

export async function stored(database: TestDatabase, sagaId: string): Promise<StoredSaga | undefined> {
  const [row] = await database.query<StoredSaga>(
    `SELECT state, phase, position, attempts, epoch, owner, failure,
       ('[' || replace(rtrim(log_lines, E'\\n'), E'\\n', ',') || ']')::json AS log FROM sagas WHERE id = $1`,
    [sagaId],
  );
  return row;
}

/** A saga as a dead instance left it: its lease is over. */
export async function abandon(
  database: TestDatabase,
  definition: SagaDefinition<Toy>,
  at: { position: number; phase: string; state?: string; owner?: string },
): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO sagas (id, name, version, state, subject, position, phase, data, owner, due_at)
     VALUES ($1::uuid, $2, $3, $4, $1::text, $5, $6, $7, $8, now() - interval '1 second')`,
    [
      id,
      definition.name,
      definition.version,
      at.state ?? 'RUNNING',
      at.position,
      at.phase,
      JSON.stringify({ id }),
      at.owner ?? 'dead',
    ],
  );
  return id;
}
