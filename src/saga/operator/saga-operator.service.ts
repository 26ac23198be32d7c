import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { type Command, type Decision, SagaOperatorRepository, SagaSummary, Verb } from './saga-operator.repository.js';
import { SagaRecoveryJob } from '../saga-recovery.job.js';
import { isPastPivot } from '../saga-definition.js';
import { SagaRegistry } from '../saga-registry.js';
import { SagaListQuery, SagaView, toSagaView } from './saga.dto.js';
import { runStage } from '../engine/saga-stage.js';
import { runOf, SagaRow, SagaRepository } from '../saga.repository.js';
import { isCompensating } from '../saga-state.js';
import type { SagaRun } from '../engine/saga-run.js';
import type { SagaFailure } from '../saga.errors.js';

/** Why a saga is turned back by a command of the domain. */
export interface TurnBack {
  readonly actor: string;
  readonly reason: string;
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
    private readonly registry: SagaRegistry,
    private readonly recovery: SagaRecoveryJob,
  ) {}

  async view(id: string): Promise<SagaView> {
    const [saga] = await this.sagas.find(this.transactions, [id]);
    if (!saga) throw new DomainError('SAGA_NOT_FOUND', 'The saga does not exist');
    return toSagaView(saga, await this.operator.audit(this.transactions, id));
  }

  async list(query: SagaListQuery): Promise<{ items: SagaSummary[]; nextCursor: string | null }> {
    const rows = await this.operator.list(this.transactions, {
      state: query.state,
      before: query.cursor,
      limit: query.limit + 1,
    });
    const items = rows.slice(0, query.limit);
    return { items, nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null };
  }

  async apply(id: string, verb: Verb, actor: string, reason: string): Promise<SagaView> {
    await this.transactions.run(async (tx) => {
      const saga = await this.operator.lock(tx, id);
      if (!saga) throw new DomainError('SAGA_NOT_FOUND', 'The saga does not exist');
      const decision = this.decide(saga, verb);
      const rest = verb === 'resolve' ? await this.compensateRest(tx, saga) : undefined;
      const command: Command = { verb, actor, reason };
      await this.operator.apply(tx, saga, command, decision, rest);
    });
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
    if (!isUnderWay || !(await command.isAllowed())) throw refusal(saga, 'compensate');
    const decision = this.decide(saga, 'compensate');
    const { actor, reason, failure } = command;
    await this.operator.apply(tx, saga, { verb: 'compensate', actor, reason, failure }, decision);
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
    if (!definition || !isCompensating(saga.phase)) return undefined;
    const rest = definition.steps.slice(0, saga.position).map((step) => step.compensate);
    if (rest.some((action) => action && (action.kind === 'remote' || action.locks))) return undefined;
    const position = rest.findLastIndex((action) => action !== undefined);
    if (position < 0) return undefined;
    const run = runOf({ ...saga, state: 'COMPENSATING', phase: 'compensate', position }, definition);
    await runStage(tx, [run], { lease: undefined, keys: new Set(), isOptimistic: false });
    return run;
  }

  private decide(saga: SagaRow, verb: Verb): Decision {
    const { state, phase, position } = saga;
    const refuse = () => refusal(saga, verb);
    switch (verb) {
      case 'retry':
        if (state !== 'STUCK') throw refuse();
        return { to: isCompensating(phase) ? 'COMPENSATING' : 'RUNNING', phase, position };
      case 'resolve':
        if (state !== 'STUCK') throw refuse();
        return { to: 'RESOLVED', phase: 'end', position };
      case 'compensate':
        return this.turnBack(saga, refuse);
    }
  }

  /** Compensates from the present position; a call that may have happened comes first. Never from behind the pivot. */
  private turnBack(saga: SagaRow, refuse: () => DomainError): Decision {
    const { state, phase, position } = saga;
    const steps = this.registry.find(saga.name, saga.version)?.steps ?? [];
    if (isPastPivot(steps, position) || (state !== 'RUNNING' && state !== 'WAITING' && state !== 'STUCK'))
      throw refuse();
    if (isCompensating(phase)) return { to: 'COMPENSATING', phase, position };
    let from = phase === 'call' ? position : position - 1;
    while (from >= 0 && !steps[from]?.compensate) from -= 1;
    if (from < 0) throw refuse();
    return { to: 'COMPENSATING', phase: 'compensate', position: from };
  }
}

function refusal({ state }: SagaRow, verb: Verb): DomainError {
  return new DomainError('INVALID_STATE', `A saga that is ${state} cannot be told to ${verb}`, { state });
}
