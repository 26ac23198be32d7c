import { messageOf } from '../../common/error-message.js';
import { DomainError } from '../../common/domain-error.js';
import type { SagaRun } from './saga-run.js';
import type { SagaStep } from '../saga-definition.js';
import type { SagaFailure } from '../saga.errors.js';

/** Where a saga goes after its step's verdict. Pure moves on the run; the transaction stores them. */
export function concludeStep(run: SagaRun, ms: number): void {
  const { verdict } = run;
  switch (verdict?.kind) {
    case undefined:
      return goOn(run, ms);
    case 'failed':
      run.logStep({ result: 'failed', ms, error: verdict.failure.code, hasWaited: true });
      run.clearVerdict();
      return run.isForward
        ? turnBack(run, verdict.failure, run.progress.position - 1)
        : stick(run, verdict.failure.detail);
    case 'suspended':
      // A compensation does not wait for anybody: COMPENSATING cannot move to WAITING, so it asks again after a
      // backoff.
      if (!run.isForward) return countFailure(run, new Error('the other side is not done yet'), false);
      run.logStep({ result: 'suspended', ms, hasWaited: true });
      return run.move({ state: 'WAITING' });
    case 'retried':
      // The verdict stays: this transaction is done with the run, and the next attempt comes after a backoff.
      return countFailure(run, new Error(verdict.reason), false);
    case 'stuck':
      return stick(run, verdict.reason);
    case 'abandoned':
      return;
  }
}

/** A failed attempt: the same place is tried again, unless the policy is exhausted or another attempt cannot help. */
export function countFailure(run: SagaRun, error: unknown, isPermanent: boolean): void {
  const attempts = run.progress.attempts + 1;
  const result = run.isInDoubt ? 'in-doubt' : 'retried';
  run.logStep({ result, attempt: attempts, error: messageOf(error) });
  run.move({ attempts });
  if (isPermanent || attempts >= run.retryPolicy.maxAttempts) giveUp(run, error);
}

function goOn(run: SagaRun, ms: number): void {
  const { phase, position } = run.progress;
  const isPrepared = run.action?.kind === 'remote' && (phase === 'execute' || phase === 'compensate');
  run.logStep({ result: isPrepared ? 'prepared' : undefined, ms: ms > 0 ? ms : undefined, hasWaited: true });
  if (isPrepared) return run.move({ phase: phase === 'execute' ? 'call' : 'compensate-call', attempts: 0 });
  if (!run.isForward) return goBack(run, position - 1);
  const { steps } = run.definition;
  let next = position + 1;
  while (steps[next]?.isNeeded?.(run.data) === false) next += 1;
  run.move(
    next >= steps.length ? { state: 'COMPLETED', phase: 'end' } : { position: next, phase: 'execute', attempts: 0 },
  );
}

/** Behind the pivot there is no way back: a saga that cannot go forward waits for an operator. */
export function turnBack(run: SagaRun, failure: SagaFailure, from: number): void {
  if (run.isPastPivot) return stick(run, failure.detail);
  run.move({ state: 'COMPENSATING', failure });
  goBack(run, from);
}

function goBack(run: SagaRun, from: number): void {
  const { steps } = run.definition;
  const isPassedOver = (step: SagaStep<unknown> | undefined) =>
    step && (!step.compensate || step.isNeeded?.(run.data) === false);
  let position = from;
  while (isPassedOver(steps[position])) position -= 1;
  run.move(position < 0 ? { state: 'COMPENSATED', phase: 'end' } : { position, phase: 'compensate', attempts: 0 });
}

/** A call that was made may have had an effect, so its own compensation comes first; a local step had none. */
function giveUp(run: SagaRun, error: unknown): void {
  if (!run.isForward || run.isPastPivot) return stick(run, messageOf(error));
  const { phase, position } = run.progress;
  turnBack(run, failureOf(error), phase === 'call' ? position : position - 1);
}

export function stick(run: SagaRun, reason: string): void {
  run.logStep({ result: 'stuck', error: reason });
  run.move({ state: 'STUCK', failure: run.failure ?? { code: 'INTERNAL_ERROR', detail: reason } });
}

function failureOf(error: unknown): SagaFailure {
  if (error instanceof DomainError) return { code: error.code, detail: error.message, details: error.details };
  return {
    code: 'DEPENDENCY_UNAVAILABLE',
    detail: 'A step could not be completed, nothing was charged: try again with a new Idempotency-Key',
  };
}
