import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { type Command, SagaOperatorRepository } from './saga-operator.repository.js';
import { SagaSearchRepository, type SagaSummary } from './saga-search.repository.js';
import { SagaRecoveryJob } from '../saga-recovery.job.js';
import { SagaRegistry } from '../saga-registry.js';
import { SagaListQuery, SagaView, toSagaView } from './saga.dto.js';
import { NOTHING_HELD } from '../../lock/locked-batches.js';
import { runStage } from '../engine/saga-stages.service.js';
import { runOf, SagaRow, SagaRepository } from '../saga.repository.js';
import { SagaTraces } from '../engine/saga-traces.js';
import { traceOf } from '../saga-trace.js';
import type { SagaRun } from '../engine/saga-run.js';
import type { SagaFailure } from '../saga.errors.js';
import { decide, type Decision, lastOfRest, refusalOf, type Verb } from './verb-decision.js';

export interface SagaPage {
  readonly items: readonly SagaSummary[];
  readonly nextCursor: string | null;
}

/** Why a saga is turned back by a command of the domain. */
export interface TurnBack extends Operator {
  readonly failure: SagaFailure;
  readonly isAllowed: () => Promise<boolean>;
}

/** An operator's verbs. Each one takes the saga from its owner, by the epoch, and leaves an audit entry. */
@Injectable()
export class SagaOperatorService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sagas: SagaRepository,
    private readonly operator: SagaOperatorRepository,
    private readonly search: SagaSearchRepository,
    private readonly registry: SagaRegistry,
    private readonly recovery: SagaRecoveryJob,
    private readonly traces: SagaTraces,
  ) {}

  async view(id: string): Promise<SagaView> {
    const [saga] = await this.sagas.find(this.transactions, [id]);
    if (!saga) throw new DomainError('SAGA_NOT_FOUND', 'The saga does not exist');
    return toSagaView(saga, await this.operator.audit(this.transactions, id));
  }

  async list({ cursor: before, step, ...query }: SagaListQuery): Promise<SagaPage> {
    const places = step === undefined ? undefined : this.registry.placesOf(step);
    const { rows, nextCursor } = await this.search.page({ ...query, places, before });
    return { items: rows, nextCursor };
  }

  async apply(id: string, verb: Verb, operator: Operator): Promise<SagaView> {
    const saga = await this.transactions.run(async (tx) => {
      const saga = await this.operator.lock(tx, id);
      if (!saga) throw new DomainError('SAGA_NOT_FOUND', 'The saga does not exist');
      const decision = this.decide(saga, verb);
      const rest = verb === 'resolve' ? await this.compensateRest(tx, saga) : undefined;
      const command: Command = { verb, ...operator };
      await this.operator.apply(tx, saga, command, decision, rest);
      return { ...saga, state: decision.to };
    });
    if (verb === 'resolve') this.traces.ended({ ...saga, trace: traceOf(saga.log) });
    await this.recovery.recover();
    return this.view(id);
  }

  /**
   * A command of the domain turns a saga back: in the command's own transaction, and for the reason that it gives. Throws
   * INVALID_STATE where the saga has gone too far, or where `isAllowed`, asked behind the saga's lock, says no.
   */
  async compensate(tx: Tx, id: string, command: TurnBack): Promise<void> {
    const saga = await this.operator.lock(tx, id);
    if (!saga) throw new DomainError('SAGA_NOT_FOUND', 'The saga does not exist');
    const isUnderWay = saga.state === 'RUNNING' || saga.state === 'WAITING';
    if (!isUnderWay || !(await command.isAllowed())) throw refusalOf(saga, 'compensate');
    const decision = this.decide(saga, 'compensate');
    await this.operator.apply(tx, saga, { verb: 'compensate', ...command }, decision);
  }

  /** Goes on at once with what was made due. */
  recover(): Promise<void> {
    return this.recovery.recover();
  }

  /**
   * What was settled by hand is the step that is stuck. What is left of the way back is our own (a hold to release, an
   * order to reject) and is done with it: a saga that is over must leave nothing behind that only it would clean up.
   */
  private async compensateRest(tx: Tx, saga: SagaRow): Promise<SagaRun | undefined> {
    const definition = this.registry.find(saga.name, saga.version);
    const position = lastOfRest(saga, definition);
    if (!definition || position === undefined) return undefined;
    const run = runOf({ ...saga, state: 'COMPENSATING', phase: 'compensate', position }, definition);
    await runStage(tx, [run], { ...NOTHING_HELD, isOptimistic: false });
    return run;
  }

  private decide(saga: SagaRow, verb: Verb): Decision {
    return decide(saga, verb, this.registry.find(saga.name, saga.version));
  }
}
