import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { allocate } from '../../../src/balance/allocation.js';
import { mergeQuantities } from '../../../src/inventory/stock/stock-line.js';
import { HoldRequest, ReservationState } from '../../../src/inventory/reservation/reservation.js';
import { ReservationExpiryJob } from '../../../src/inventory/reservation/reservation-expiry.job.js';
import { ReservationRepository } from '../../../src/inventory/reservation/reservation.repository.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { violations } from './inventory-fixture.js';

const SKUS = ['m:a', 'm:b', 'm:c'] as const;
const MAX_EXTENSION = 100;

interface Held {
  state: ReservationState;
  lines: readonly { sku: string; quantity: number }[];
  extended: number;
  isOverdue: boolean;
}

interface Model {
  onHand: Map<string, number>;
  reservations: Map<string, Held>;
}

interface Real {
  test: TestApp;
}

type Command = fc.AsyncCommand<Model, Real>;

const reserved = (model: Model, sku: string) =>
  [...model.reservations.values()]
    .filter(({ state }) => state === 'HELD')
    .flatMap(({ lines }) => lines)
    .filter((line) => line.sku === sku)
    .reduce((sum, { quantity }) => sum + quantity, 0);

const available = (model: Model) =>
  new Map(SKUS.map((sku) => [sku as string, (model.onHand.get(sku) ?? 0) - reserved(model, sku)]));

function pick(model: Model, index: number): [string, Held] | undefined {
  const all = [...model.reservations];
  return all[index % Math.max(1, all.length)];
}

function end(model: Model, held: Held, to: ReservationState): void {
  held.state = to;
  if (to !== 'COMMITTED') return;
  for (const { sku, quantity } of held.lines) model.onHand.set(sku, (model.onHand.get(sku) ?? 0) - quantity);
}

/** Runs a step, then compares the database with the model and with its own invariants. */
function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, real) => {
      await run(model, real);
      expect(await violations(real.test.database)).toEqual([]);
      const rows = await real.test.database.query<{ sku: string; onHand: number; reserved: number }>(
        `SELECT sku, on_hand AS "onHand", reserved FROM skus WHERE sku = ANY($1) ORDER BY sku`,
        [SKUS],
      );
      expect(rows).toEqual(SKUS.map((sku) => ({ sku, onHand: model.onHand.get(sku), reserved: reserved(model, sku) })));
    },
  };
}

type Alternatives = { sku: string; quantity: number }[][];

const holdBatch = (batch: Alternatives[]) =>
  command(`hold ${JSON.stringify(batch)}`, async (model, { test }) => {
    const requests: HoldRequest[] = batch.map((alternatives) => ({
      reservationId: randomUUID(),
      currency: 'EUR',
      ttlSeconds: 900,
      alternatives: alternatives.map((lines) => {
        const unique = new Map(lines.map((line) => [line.sku, { ...line, name: line.sku, unitAmount: 1 }]));
        return { lines: [...unique.values()] };
      }),
    }));
    const wanted = requests.map(({ alternatives }) => ({
      alternatives: alternatives.map(({ lines }) => mergeQuantities(lines)),
    }));
    const expected = allocate(available(model), wanted);
    const repository = test.app.get(ReservationRepository);
    const verdicts = await test.app.get(TransactionRunner).run((tx) => repository.hold(tx, requests));
    requests.forEach((request, index) => {
      const verdict = expected[index]!;
      if (verdict.kind === 'short') {
        const shortages = verdict.shortages.map(({ key, ...rest }) => ({ sku: key, ...rest }));
        return expect(verdicts[index]).toEqual({ kind: 'short', shortages });
      }
      expect(verdicts[index]).toMatchObject(verdict);
      const { lines } = request.alternatives[verdict.alternative]!;
      model.reservations.set(request.reservationId, { state: 'HELD', lines, extended: 0, isOverdue: false });
    });
  });

const extend = (index: number, seconds: number) =>
  command(`extend #${index} ${seconds}`, async (model, { test }) => {
    const [id, held] = pick(model, index) ?? [];
    if (!id || !held) return;
    const answer = await test.api.post(`/v1/reservations/${id}/extend`, { seconds }, { key: 'admin' });
    const isOpen = held.state === 'HELD' && !held.isOverdue;
    const isOver = held.state === 'EXPIRED' || (held.state === 'HELD' && held.isOverdue);
    const isWithin = held.extended + seconds <= MAX_EXTENSION;
    expect(answer.status).toBe(isOver ? 410 : isOpen && isWithin ? 200 : 409);
    if (answer.status === 200) held.extended += seconds;
  });

const release = (index: number) =>
  command(`release #${index}`, async (model, { test }) => {
    const [id, held] = pick(model, index) ?? [];
    if (!id || !held) return;
    const answer = await test.api.delete(`/v1/reservations/${id}`, { key: 'admin' });
    if (held.state === 'HELD' && !held.isOverdue) {
      expect(answer.body.state).toBe('RELEASED');
      end(model, held, 'RELEASED');
    } else {
      const status = { HELD: 410, EXPIRED: 410, RELEASED: 200, COMMITTED: 409 }[held.state];
      expect(answer.status).toBe(status);
    }
  });

const change = (index: number, lines: { sku: string; quantity: number }[]) =>
  command(`change #${index} ${JSON.stringify(lines)}`, async (model, { test }) => {
    const [id, held] = pick(model, index) ?? [];
    if (!id || !held) return;
    const answer = await test.api.put(`/v1/reservations/${id}/lines`, { lines });
    if (held.state === 'HELD' && !held.isOverdue) {
      const free = available(model);
      for (const { sku, quantity } of held.lines) free.set(sku, (free.get(sku) ?? 0) + quantity);
      const isPossible = allocate(free, [{ alternatives: [mergeQuantities(lines)] }])[0]?.kind === 'granted';
      expect([answer.status, answer.body.code]).toEqual(isPossible ? [200, undefined] : [409, 'OUT_OF_STOCK']);
      if (isPossible) held.lines = [...mergeQuantities(lines)].map(([sku, quantity]) => ({ sku, quantity }));
    } else {
      expect(answer.status).toBe(held.state === 'HELD' || held.state === 'EXPIRED' ? 410 : 409);
    }
  });

const commit = (indexes: number[]) =>
  command(`commit ${indexes.join()}`, async (model, { test }) => {
    const chosen = new Map(
      indexes.flatMap((index) => [pick(model, index) ?? []].filter((entry) => entry.length > 0) as [string, Held][]),
    );
    const repository = test.app.get(ReservationRepository);
    const landed = await test.app.get(TransactionRunner).run((tx) => repository.commit(tx, [...chosen.keys()]));
    const expected = [...chosen].filter(([, { state }]) => state === 'HELD');
    expect(landed).toEqual(new Set(expected.map(([id]) => id)));
    for (const [, held] of expected) end(model, held, 'COMMITTED');
  });

const timePasses = (index: number) =>
  command(`time passes for #${index}`, async (model, { test }) => {
    const [id, held] = pick(model, index) ?? [];
    if (!id || held?.state !== 'HELD') return;
    await test.database.query(`UPDATE reservations SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
    held.isOverdue = true;
  });

const sweep = () =>
  command('sweep', async (model, { test }) => {
    const due = [...model.reservations.values()].filter(({ state, isOverdue }) => state === 'HELD' && isOverdue);
    expect(await test.app.get(ReservationExpiryJob).run()).toBe(due.length);
    for (const held of due) end(model, held, 'EXPIRED');
  });

const adjust = (sku: string, delta: number) =>
  command(`adjust ${sku} ${delta}`, async (model, { test }) => {
    const answer = await test.api.post(`/v1/skus/${sku}/adjustments`, { delta, reason: 'model' }, { key: 'admin' });
    const onHand = (model.onHand.get(sku) ?? 0) + delta;
    const isPossible = onHand >= reserved(model, sku);
    expect(answer.status).toBe(isPossible ? 201 : 409);
    if (isPossible) model.onHand.set(sku, onHand);
  });

const line = fc.record({ sku: fc.constantFrom<string>(...SKUS), quantity: fc.integer({ min: 1, max: 5 }) });
const alternatives = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });
const index = fc.nat({ max: 30 });
const commands = fc.commands(
  [
    fc.array(alternatives, { minLength: 1, maxLength: 4 }).map(holdBatch),
    fc.array(alternatives, { minLength: 1, maxLength: 4 }).map(holdBatch),
    fc.tuple(index, fc.integer({ min: 1, max: 60 })).map(([at, seconds]) => extend(at, seconds)),
    index.map(release),
    fc.tuple(index, fc.array(line, { minLength: 1, maxLength: 3 })).map(([at, lines]) => change(at, lines)),
    fc.array(index, { minLength: 1, maxLength: 3 }).map(commit),
    index.map(timePasses),
    fc.constant(sweep()),
    fc
      .tuple(
        fc.constantFrom<string>(...SKUS),
        fc.integer({ min: -8, max: 8 }).filter((delta) => delta !== 0),
      )
      .map(([sku, delta]) => adjust(sku, delta)),
  ] as fc.Arbitrary<Command>[],
  { maxCommands: 40 },
);

describe('reservations behave as their model', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({
      RESERVATION_SWEEP_SECONDS: '3600',
      RESERVATION_MAX_EXTENSION_SECONDS: String(MAX_EXTENSION),
    });
  });
  afterAll(() => test.close());

  it('through random sequences of hold, extend, release, change, commit, expire and adjust', async () => {
    const setup = async () => {
      await test.database.query('TRUNCATE skus, stock_movements, reservations, reservation_lines, reservation_claims');
      for (const sku of SKUS) {
        await test.api.put(`/v1/skus/${sku}`, { name: sku, unitAmount: 1, currency: 'EUR', onHand: 20 });
      }
      const model: Model = { onHand: new Map(SKUS.map((sku) => [sku, 20])), reservations: new Map() };
      return { model, real: { test } };
    };
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const { model, real } = await setup();
        await fc.asyncModelRun(() => ({ model, real }), sequence);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 600_000);
});
