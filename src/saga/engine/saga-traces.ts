import { Injectable } from '@nestjs/common';
import { toTraceparent } from '../../platform/tracing/trace-context.js';
import { type FinishedSpan, Tracing } from '../../platform/tracing/tracing.js';
import type { RequestTrace } from '../../platform/tracing/traced-requests.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { familyOf } from '../../lock/lock-metrics.js';
import type { HeldKeys } from '../../lock/locked-batches.js';
import { isStep, type StepEntry } from '../saga-log.js';
import type { RemoteAction } from '../saga-definition.js';
import type { SagaTrace } from '../saga-trace.js';
import { phaseOf, type SagaPhase } from '../saga-state.js';
import type { SagaRun } from './saga-run.js';

/** Shorter waits are the round trip to the lock's store. The log leaves them out, too. */
const SHOWN_WAIT_MS = 1;
const VERBS: Readonly<Record<SagaPhase, string>> = {
  execute: 'step',
  call: 'record',
  compensate: 'compensate',
  'compensate-call': 'record compensation of',
  end: 'end',
};
/** A card that is declined is an outcome; these are trouble. */
const TROUBLE: ReadonlySet<string | undefined> = new Set(['retried', 'in-doubt', 'stuck']);

/**
 * The way of a saga as spans. Steps know nothing of it: their spans are made from the lines that the log got in a
 * transaction, after its commit. Spans whose trace is not kept, or is none, cost one look.
 */
@Injectable()
export class SagaTraces {
  constructor(private readonly tracing: Tracing) {}

  /** What came before the saga is the request's intake: identity, limits, validation, keys and prices. */
  begin(request: RequestTrace | undefined): SagaTrace | undefined {
    const identity = this.tracing.begin(request);
    if (!identity) return undefined;
    const from = this.tracing.clock.now();
    this.tracing.recordChild(request, { name: 'intake', from: request?.from ?? from, to: from });
    return { ...identity, from };
  }

  /** Events that the transaction stores for these sagas take their trace along. */
  mark(tx: Tx, runs: readonly SagaRun[]): void {
    const traced = runs.flatMap(({ subject, trace }) => (trace ? [[subject, toTraceparent(trace)] as const] : []));
    if (traced.length > 0) tx.setTraces(new Map(traced));
  }

  /**
   * One commit of all these sagas, before they accept it. Each has the commit in its own trace; a shared one is also a span
   * by itself, in a trace of its own, with a link to every saga in it, because a span has one parent.
   */
  committed(runs: readonly SagaRun[], { keys, waitedMs }: HeldKeys): void {
    const traced = runs.filter(isKept);
    const [first] = traced;
    if (!first) return;
    const { clock } = this.tracing;
    const attributes = { 'saga.name': first.definition.name, 'saga.batch_size': runs.length };
    const span = { name: 'commit', from: clock.at(first.beganAt), to: clock.now(), attributes };
    const shared = runs.length > 1 ? this.tracing.begin() : undefined;
    const links = shared && [{ ...shared, isSampled: true }];
    if (links)
      this.tracing.record(links[0], { ...span, name: 'group commit', links: traced.map(({ trace }) => trace) });
    for (const run of traced) {
      this.waited(run, keys, waitedMs, span.from);
      const commit = this.tracing.recordChild(run.trace, { ...span, ...(links && { links }) });
      for (const line of newSteps(run, span.from)) this.tracing.recordChild(commit, spanOfStep(line));
    }
  }

  /** The locks of a call were waited for until now. */
  lockedForCall(run: SagaRun, { locks }: RemoteAction<unknown>, askedAt: number): void {
    if (!isKept(run)) return;
    const keys = new Set(locks?.keys(run.data));
    this.waited(run, keys, performance.now() - askedAt, this.tracing.clock.now());
  }

  called(run: SagaRun, step: string, outcome: 'answered' | 'unknown', ms: number): void {
    if (!isKept(run)) return;
    const to = this.tracing.clock.now();
    // An answer that leaves no doubt about an earlier call came from asking about it.
    const isLookUp = outcome === 'answered' && !run.isInDoubt;
    const verb = isLookUp ? 'look up' : 'call';
    this.tracing.recordChild(run.trace, {
      name: run.isForward ? `${verb} ${step}` : `${verb} compensation of ${step}`,
      kind: 'client',
      from: to - ms,
      to,
      attributes: { 'saga.step': step, 'saga.attempt': run.progress.attempts + 1 },
      ...(outcome === 'unknown' && { error: 'the outcome is unknown' }),
    });
  }

  /** Nobody drove it since its last line: its owner was lost, or it waited for somebody. */
  resumed(run: SagaRun): void {
    if (!isKept(run)) return;
    const { log } = run.stored;
    const last = log.at(-1);
    const hasWaited = log.findLast(isStep)?.result === 'suspended';
    const to = this.tracing.clock.now();
    this.tracing.recordChild(run.trace, {
      name: hasWaited ? 'wait' : 'takeover',
      from: Math.min(to, last?.at ?? to),
      to,
      attributes: { 'saga.epoch': run.epoch, 'saga.previous_owner': run.heirOf },
    });
  }

  /** The saga's own span: once, by whoever ended it. */
  ended(saga: { id: string; name: string; subject: string; state: string; trace: SagaTrace | undefined }): void {
    const { id, name, subject, state, trace } = saga;
    if (!trace) return;
    this.tracing.record(trace, {
      name: `saga ${name}`,
      from: trace.from,
      to: this.tracing.clock.now(),
      attributes: { 'saga.id': id, 'saga.name': name, 'saga.subject': subject, 'saga.state': state },
    });
  }

  private waited(run: TracedRun, keys: ReadonlySet<string>, waitedMs: number, until: number): void {
    if (waitedMs < SHOWN_WAIT_MS) return;
    const [key = ''] = keys;
    this.tracing.recordChild(run.trace, {
      name: `lock ${familyOf(key)}`,
      from: until - waitedMs,
      to: until,
      attributes: { 'lock.keys': keys.size },
    });
  }
}

type TracedRun = SagaRun & { readonly trace: SagaTrace };

function isKept(run: SagaRun): run is TracedRun {
  return run.trace?.isSampled === true;
}

/** Of a log that was cut all lines are stored again. */
function newSteps({ addedLog: { log, isLogCut } }: SagaRun, from: number): StepEntry[] {
  return log.filter(isStep).filter(({ at }) => !isLogCut || at >= Math.floor(from));
}

function spanOfStep({ step, phase, result, at, ms = 0, attempt, error }: StepEntry): FinishedSpan {
  return {
    name: `${VERBS[phase === undefined ? 'execute' : phaseOf(phase)]} ${step}`,
    from: at - ms,
    to: at,
    attributes: { 'saga.step': step, 'saga.result': result ?? 'done', 'saga.attempt': attempt, 'saga.error': error },
    ...(TROUBLE.has(result) && { error: error ?? result }),
  };
}
