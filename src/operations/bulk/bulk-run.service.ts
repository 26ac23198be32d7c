import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { newId } from '../../common/id.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import type { Answer, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { sumOf, summaryOf } from '../preview/effect.js';
import type { BulkAction } from './bulk-action.js';
import { type BulkListQuery, type BulkPlan, type BulkPreview, type ItemListQuery } from './bulk-run.dto.js';
import type { BulkItem, BulkRun } from './bulk-run.entity.js';
import { BulkRunJob } from './bulk-run.job.js';
import { BulkRunRepository } from './bulk-run.repository.js';
import { BULK_TARGETS, type BulkTarget, type PlannedSubject } from './bulk-target.js';

const MAX_ITEMS = 10_000;
const SAMPLE = 20;
/** How long a plan may be started after it was made: the operator has just read it. */
const PLAN_VALID_SECONDS = 15 * 60;

/**
 * Verbs over many subjects. A run is planned first, which does nothing, and then started. It can be stopped and started
 * again.
 */
@Injectable()
export class BulkRunService {
  private readonly targets: ReadonlyMap<BulkAction, BulkTarget>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly idempotency: IdempotencyService,
    private readonly runs: BulkRunRepository,
    private readonly trail: AuditTrail,
    private readonly job: BulkRunJob,
    @Inject(BULK_TARGETS) targets: readonly BulkTarget[],
  ) {
    this.targets = new Map(targets.flatMap((target) => target.actions.map((action) => [action, target] as const)));
  }

  /** The dry run: fixes the list of subjects and describes the effects on money and stock. */
  async plan(request: IdempotentRequest, plan: BulkPlan, actor: string): Promise<Answer> {
    const { action, filter, perSecond, reason } = plan;
    const target = this.targets.get(action);
    if (!target) throw new Error(`nothing plans ${action}`);
    const found = await target.plan(action, filter, MAX_ITEMS);
    const items = found.slice(0, MAX_ITEMS);
    const run = { id: newId(), action, filter, perSecond, actor, reason, preview: previewOf(items) };
    const answer = await this.idempotency.once(request, (tx) => {
      this.runs.insert(tx, { ...run, isTruncated: found.length > MAX_ITEMS }, items);
      return Promise.resolve({ status: 201, body: { id: run.id } });
    });
    const { id } = answer.body as { id: string };
    return { ...answer, headers: { location: `/v1/bulk-runs/${id}` }, body: await this.get(id) };
  }

  async start(id: string, operator: Operator): Promise<BulkRun> {
    const run = await this.get(id);
    await this.transactions.run(async (tx) => {
      if (!(await this.runs.start(tx, id, PLAN_VALID_SECONDS))) throw this.refusal(run, 'start');
      this.audit(tx, operator, 'start', run);
    });
    this.job.wake();
    return this.get(id);
  }

  /** The current item is finished and no other one is begun, whichever instance drives the run. */
  async stop(id: string, operator: Operator): Promise<BulkRun> {
    const run = await this.get(id);
    const to = run.state === 'PLANNED' ? 'DISCARDED' : 'STOPPED';
    await this.transactions.run(async (tx) => {
      if (!(await this.runs.move(tx, id, to))) throw this.refusal(await this.get(id), 'stop');
      this.audit(tx, operator, 'stop', run);
    });
    return this.get(id);
  }

  async get(id: string): Promise<BulkRun> {
    const run = await this.runs.find(id);
    if (!run) throw new DomainError('BULK_RUN_NOT_FOUND', 'The bulk run does not exist');
    return run;
  }

  async list({ state, limit, cursor }: BulkListQuery): Promise<{ items: BulkRun[]; nextCursor: string | null }> {
    const rows = await this.runs.list(state, cursor, limit + 1);
    const shown = rows.slice(0, limit);
    return { items: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  async items(
    id: string,
    { state, limit, cursor }: ItemListQuery,
  ): Promise<{ items: BulkItem[]; nextCursor: number | null }> {
    await this.get(id);
    const rows = await this.runs.items(id, state, cursor, limit + 1);
    const items = rows.slice(0, limit);
    return { items, nextCursor: rows.length > limit ? (items.at(-1)?.position ?? null) : null };
  }

  private audit(tx: Parameters<AuditTrail['append']>[0], operator: Operator, verb: 'start' | 'stop', run: BulkRun) {
    const detail = { action: run.action, filter: run.filter, total: run.total };
    this.trail.append(tx, operator, { verb, subjectKind: 'bulk-run', subject: run.id, detail });
  }

  private refusal({ state }: BulkRun, verb: string): DomainError {
    const detail =
      state === 'PLANNED'
        ? 'The plan is too old: plan it again, and look at what it would do now'
        : `A bulk run that is ${state} cannot ${verb}`;
    return new DomainError('INVALID_STATE', detail, { state });
  }
}

function previewOf(items: readonly PlannedSubject[]): BulkPreview {
  const effects = sumOf(items.map((item) => item.effects));
  const sample = items
    .slice(0, SAMPLE)
    .map((item) => ({ subject: item.subject, orderId: item.orderId, summary: summaryOf(item.effects) }));
  return { summary: items.length === 0 ? 'touches nothing' : summaryOf(effects), effects, sample };
}
