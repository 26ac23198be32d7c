import { Injectable } from '@nestjs/common';
import { isTerminal } from '../../common/state-machine.js';
import { FROM_NEWEST, literals, statement, type Statement } from '../../platform/postgres/statement.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { pageOf, type Walked, walkWindows } from '../../platform/postgres/window-walk.js';
import { PHASE_NAMES, type PhaseName, SAGA_TRANSITIONS, type SagaState } from '../saga-state.js';
import { IS_WATCHED, type SagaRow } from '../saga.repository.js';

type Summarised = 'id' | 'name' | 'version' | 'state' | 'subject' | 'position' | 'attempts' | 'owner' | 'epoch';

export interface SagaSummary extends Pick<SagaRow, Summarised> {
  readonly phase: PhaseName;
  readonly failure: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const SAGA_DIRECTIONS = ['on', 'back'] as const;
export type SagaDirection = (typeof SAGA_DIRECTIONS)[number];

export interface SagaFilter {
  readonly state?: SagaState | undefined;
  readonly name?: string | undefined;
  /** Where it stands, as `name@version#position`: a step has another position in each version. */
  readonly places?: readonly string[] | undefined;
  readonly direction?: SagaDirection | undefined;
  readonly code?: string | undefined;
  readonly subject?: string | undefined;
}

export interface SagaPageRequest extends SagaFilter {
  readonly before?: string | undefined;
  readonly limit: number;
}

type Criterion = keyof SagaFilter;

export const IS_BACK = `phase IN (${literals([PHASE_NAMES.compensate, PHASE_NAMES['compensate-call']])})`;

const CRITERIA: Readonly<Record<Criterion, (value: string) => string>> = {
  state: (value) => `state = ${value}`,
  name: (value) => `name = ${value}`,
  places: (value) => `name || '@' || version || '#' || position = ANY(${value}::text[])`,
  direction: (value) => `CASE WHEN ${IS_BACK} THEN 'back' ELSE 'on' END = ${value}`,
  code: (value) => `failure ->> 'code' = ${value}`,
  subject: (value) => `subject = ${value}`,
};
const NAMES = Object.keys(CRITERIA) as readonly Criterion[];

const COLUMNS = `id, name, version, state, subject, position, phase, attempts, failure, epoch,
   CASE WHEN state <> 'WAITING' THEN split_part(owner, ' ', 1) END AS owner, created_at AS "createdAt", updated_at AS "updatedAt"`;
const BEFORE = `id < coalesce($1, ${FROM_NEWEST})`;
const WINDOW_END = statement(
  'sagas.window-end',
  `SELECT id FROM sagas WHERE ${BEFORE} ORDER BY id DESC OFFSET $2 LIMIT 1`,
);

/** Lists of sagas, newest first: ids are in order of time. */
@Injectable()
export class SagaSearchRepository {
  /** One statement for each set of criteria, so that each has a plan of its own. */
  private readonly statements = new Map<string, Statement>();

  constructor(private readonly transactions: TransactionRunner) {}

  /** Open sagas are found by their queue, those of a subject by its index, and all others by walking back. */
  async page(request: SagaPageRequest): Promise<Walked<SagaSummary>> {
    const { before, limit, ...filter } = request;
    if (isIndexed(filter)) return pageOf(await this.find(this.transactions, filter, before, limit + 1), limit);
    return walkWindows<SagaSummary>(this.transactions, { before, limit }, async (db, at, wanted, size) => {
      const [rows, ends] = await Promise.all([
        this.find(db, filter, at, wanted, size),
        db.query<{ id: string }>(WINDOW_END, [at ?? null, size - 1]),
      ]);
      return { rows, end: ends[0]?.id };
    });
  }

  private find(
    db: Queryable,
    filter: SagaFilter,
    before: string | undefined,
    limit: number,
    window?: number,
  ): Promise<SagaSummary[]> {
    const given = NAMES.filter((name) => filter[name] !== undefined);
    const text = this.statement(given, filter, window !== undefined);
    const bounds = window === undefined ? [before ?? null, limit] : [before ?? null, limit, window];
    return db.query<SagaSummary>(text, [...bounds, ...given.map((name) => filter[name])]);
  }

  private statement(given: readonly Criterion[], filter: SagaFilter, isWindow: boolean): Statement {
    const open = filter.state !== undefined && isOpen(filter.state) ? [IS_WATCHED] : [];
    const name = ['sagas.list', ...given, ...(open.length > 0 ? ['open'] : []), ...(isWindow ? ['window'] : [])].join(
      '-',
    );
    const known = this.statements.get(name);
    if (known) return known;
    const first = isWindow ? 4 : 3;
    const criteria = [...open, ...given.map((each, index) => CRITERIA[each](`$${index + first}`))];
    const from = isWindow ? `(SELECT * FROM sagas WHERE ${BEFORE} ORDER BY id DESC LIMIT $3) AS newest` : 'sagas';
    const where = [...(isWindow ? [] : [BEFORE]), ...criteria].join(' AND ') || 'true';
    const made = statement(name, `SELECT ${COLUMNS} FROM ${from} WHERE ${where} ORDER BY id DESC LIMIT $2`);
    this.statements.set(name, made);
    return made;
  }
}

function isIndexed({ state, subject }: SagaFilter): boolean {
  return subject !== undefined || (state !== undefined && isOpen(state));
}

function isOpen(state: SagaState): boolean {
  return !isTerminal(SAGA_TRANSITIONS, state);
}
