import { DomainError } from '../../common/domain-error.js';
import { IllegalMoveError } from '../../common/state-machine.js';
import { type Action, pivot, type SagaStep } from '../saga-definition.js';
import { concludeStep, countFailure } from './saga-moves.js';
import type { LockTimes } from '../../lock/lock-keys.js';
import { SagaProgress, SagaRun } from './saga-run.js';
import { locksUntilCall, termsOf } from './saga-stages.service.js';
import type { SagaPhase, SagaState } from '../saga-state.js';

type Data = Record<string, never>;

const local: Action<Data> = { kind: 'local', run: () => Promise.resolve() };
const remote: Action<Data> = {
  kind: 'remote',
  call: () => Promise.resolve(),
  resolve: () => Promise.resolve(undefined),
  record: () => Promise.resolve(),
};
const retry = { maxAttempts: 2, baseMs: 1, capMs: 1 };

function step(name: string, parts: Partial<SagaStep<Data>> = {}): SagaStep<Data> {
  return { name, retry, timeoutMs: 1, execute: local, compensate: local, ...parts };
}

function runAt(steps: readonly SagaStep<Data>[], position: number, phase: SagaPhase, state: SagaState = 'RUNNING') {
  const progress: SagaProgress<Data> = {
    state,
    position,
    phase,
    data: {},
    changes: {},
    log: [],
    failure: null,
    outcome: null,
    attempts: 0,
  };
  const run = new SagaRun('id', { name: 'toy', version: 1, steps }, 'subject', 1, progress, 'recovered') as SagaRun;
  run.begin();
  return run;
}

const placeOf = ({ progress: { state, position, phase, attempts } }: SagaRun) => ({ state, position, phase, attempts });

const termsAt = (run: SagaRun, sagaLeaseMs = 60_000) => termsOf(locksUntilCall(run), sagaLeaseMs);

describe('the locks of a transaction', () => {
  const locked = (terms: LockTimes): Action<Data> => ({ ...local, locks: { keys: () => ['key'], terms } });
  const quick = { leaseMs: 10_000, waitMs: 1_000, workMs: 5_000 };
  const long = { leaseMs: 20_000, waitMs: 5_000, workMs: 60_000 };

  it('have the strictest terms of all steps whose keys are taken together, within the lease of the saga', () => {
    const steps = [step('a', { execute: locked(quick) }), step('b', { execute: locked(long) })];
    const run = runAt(steps, 0, 'execute');
    expect(termsAt(run)).toEqual({ leaseMs: 20_000, waitMs: 1_000, workMs: 60_000 });
    expect(termsAt(run, 15_000).leaseMs).toBe(15_000);
    expect(termsAt(runAt(steps, 1, 'execute'))).toEqual(long);
  });

  it('are not those of a step that the saga does without', () => {
    const keys = (isNeeded: () => boolean) =>
      locksUntilCall(runAt([step('a', { execute: locked(quick), isNeeded })], 0, 'execute')).flatMap((locks) =>
        locks.keys({}),
      );
    expect(keys(() => true)).toEqual(['key']);
    expect(keys(() => false)).toEqual([]);
  });

  it('are not those behind a call, nor those of the other direction', () => {
    const steps = [
      step('a', { execute: locked(quick), compensate: locked(long) }),
      step('b', { execute: remote }),
      step('c', { execute: locked(long) }),
    ];
    expect(termsAt(runAt(steps, 0, 'execute'))).toEqual(quick);
    expect(termsAt(runAt(steps, 0, 'compensate', 'COMPENSATING'))).toEqual(long);
  });
});

const FAILURE = { code: 'OUT_OF_STOCK', detail: 'none' } as const;

describe('concludeStep', () => {
  const bare = (name: string): SagaStep<Data> => {
    const { compensate: _, ...rest } = step(name);
    return rest;
  };

  it('goes on: to the next step, to the call of a remote one, to the end', () => {
    const steps = [step('a'), step('b', { execute: remote }), step('c')];
    const moves = [
      [0, 'execute', { state: 'RUNNING', position: 1, phase: 'execute' }],
      [1, 'execute', { state: 'RUNNING', position: 1, phase: 'call' }],
      [1, 'call', { state: 'RUNNING', position: 2, phase: 'execute' }],
      [2, 'execute', { state: 'COMPLETED', position: 2, phase: 'end' }],
    ] as const;
    for (const [position, phase, expected] of moves) {
      const run = runAt(steps, position, phase);
      concludeStep(run, 1);
      expect(placeOf(run)).toMatchObject(expected);
    }
  });

  it('goes back: over what has nothing to compensate, to the call of a remote one, to the end', () => {
    const steps = [step('a'), bare('b'), step('c', { compensate: remote }), step('d')];
    const moves = [
      [3, 'compensate', { state: 'COMPENSATING', position: 2, phase: 'compensate' }],
      [2, 'compensate', { state: 'COMPENSATING', position: 2, phase: 'compensate-call' }],
      [2, 'compensate-call', { state: 'COMPENSATING', position: 0, phase: 'compensate' }],
      [0, 'compensate', { state: 'COMPENSATED', phase: 'end' }],
    ] as const;
    for (const [position, phase, expected] of moves) {
      const run = runAt(steps, position, phase, 'COMPENSATING');
      concludeStep(run, 1);
      expect(placeOf(run)).toMatchObject(expected);
    }
  });

  it('passes over what the saga does not need, forward and back, and writes no line about it', () => {
    const spare = (name: string) => step(name, { isNeeded: () => false });
    const steps = [step('a'), spare('b'), spare('c'), step('d'), spare('e')];
    const forward = runAt(steps, 0, 'execute');
    concludeStep(forward, 1);
    expect(placeOf(forward)).toMatchObject({ position: 3, phase: 'execute' });
    concludeStep(forward, 1);
    expect(placeOf(forward)).toMatchObject({ state: 'COMPLETED', phase: 'end' });
    expect(forward.progress.log.map((line) => 'step' in line && line.step)).toEqual(['a', 'd']);

    const back = runAt(steps, 3, 'execute');
    back.fail(FAILURE);
    concludeStep(back, 1);
    expect(placeOf(back)).toMatchObject({ state: 'COMPENSATING', position: 0, phase: 'compensate' });
  });

  it('turns back from a step that failed, which itself left nothing', () => {
    const run = runAt([step('a'), step('b')], 1, 'execute');
    run.fail(FAILURE);
    concludeStep(run, 1);
    expect(placeOf(run)).toMatchObject({ state: 'COMPENSATING', position: 0, phase: 'compensate' });
    expect(run.failure).toEqual(FAILURE);
    expect(run.verdict).toBeUndefined();
  });

  it('ends at once where nothing is to be compensated', () => {
    const run = runAt([bare('a')], 0, 'execute');
    run.fail(FAILURE);
    concludeStep(run, 1);
    expect(placeOf(run)).toMatchObject({ state: 'COMPENSATED', phase: 'end' });
  });

  it('is stuck where it cannot turn back: behind the pivot, or when the way back itself is refused', () => {
    const behind = runAt([step('a'), pivot(step('pivot')), step('c')], 2, 'execute');
    behind.fail(FAILURE);
    concludeStep(behind, 1);
    expect(placeOf(behind)).toMatchObject({ state: 'STUCK', position: 2, phase: 'execute' });

    const back = runAt([step('a')], 0, 'compensate', 'COMPENSATING');
    back.fail(FAILURE);
    concludeStep(back, 1);
    expect(placeOf(back)).toMatchObject({ state: 'STUCK', position: 0, phase: 'compensate' });
  });

  it('waits on the way forward only', () => {
    const forward = runAt([step('a', { execute: remote })], 0, 'call');
    forward.suspend(1_000);
    concludeStep(forward, 1);
    expect(placeOf(forward)).toMatchObject({ state: 'WAITING', phase: 'call' });

    const back = runAt([step('a', { compensate: remote })], 0, 'compensate-call', 'COMPENSATING');
    back.suspend(1_000);
    concludeStep(back, 1);
    expect(placeOf(back)).toMatchObject({ state: 'COMPENSATING', phase: 'compensate-call', attempts: 1 });
  });

  it.each([
    ['call', 'RUNNING'],
    ['execute', 'RUNNING'],
    ['compensate-call', 'COMPENSATING'],
  ] as const)('is stuck in %s where only a person can decide, and stays at that place', (phase, state) => {
    const run = runAt([step('a', { execute: remote, compensate: remote })], 0, phase, state);
    run.stick('nobody can tell');
    concludeStep(run, 1);
    expect(placeOf(run)).toEqual({ state: 'STUCK', position: 0, phase, attempts: 0 });
    expect(run.failure).toEqual({ code: 'INTERNAL_ERROR', detail: 'nobody can tell' });
  });

  it('leaves an abandoned run as it is', () => {
    const run = runAt([step('a')], 0, 'execute');
    run.abandon(new Error('somebody was first'));
    concludeStep(run, 1);
    expect(placeOf(run)).toMatchObject({ position: 0, phase: 'execute', state: 'RUNNING' });
  });

  it('takes the first verdict of a step', () => {
    const run = runAt([step('a')], 0, 'execute');
    run.fail(FAILURE);
    run.retry('too late');
    expect(run.verdict?.kind).toBe('failed');
  });
});

describe('countFailure', () => {
  it('stays at the place until the policy is exhausted, then compensates a call that may have happened', () => {
    const run = runAt([step('a'), step('b', { execute: remote })], 1, 'call');
    countFailure(run, new Error('first'), false);
    expect(placeOf(run)).toEqual({ state: 'RUNNING', position: 1, phase: 'call', attempts: 1 });
    countFailure(run, new DomainError('LOCK_TIMEOUT', 'busy'), false);
    expect(placeOf(run)).toEqual({ state: 'COMPENSATING', position: 1, phase: 'compensate', attempts: 0 });
    expect(run.failure).toMatchObject({ code: 'LOCK_TIMEOUT' });
  });

  it('does not compensate a local step, which left nothing', () => {
    const run = runAt([step('a'), step('b')], 1, 'execute');
    countFailure(run, new Error('refused'), true);
    expect(placeOf(run)).toMatchObject({ state: 'COMPENSATING', position: 0, phase: 'compensate' });
    expect(run.failure).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
  });

  it('counts by the policy of the action, where it has one', () => {
    const patient = { ...remote, retry: { ...retry, maxAttempts: 4 } };
    const run = runAt([step('a', { compensate: patient })], 0, 'compensate-call', 'COMPENSATING');
    for (let attempt = 1; attempt < 4; attempt += 1) countFailure(run, new Error('away'), false);
    expect(placeOf(run)).toMatchObject({ state: 'COMPENSATING', attempts: 3 });
    countFailure(run, new Error('away'), false);
    expect(run.state).toBe('STUCK');
  });

  it('keeps the reason for which the saga turned back when the way back gets stuck', () => {
    const run = runAt([step('a'), step('b')], 1, 'execute');
    run.fail(FAILURE);
    concludeStep(run, 1);
    countFailure(run, new Error('cannot compensate'), true);
    expect(run.state).toBe('STUCK');
    expect(run.failure).toEqual(FAILURE);
    expect(run.progress.log.at(-1)).toMatchObject({ result: 'stuck', error: 'cannot compensate' });
  });
});

describe('a run', () => {
  it('refuses a move that the table of states does not have', () => {
    const ended = runAt([step('a')], 0, 'end', 'COMPLETED');
    expect(() => ended.move({ state: 'COMPENSATING' })).toThrow(IllegalMoveError);
    const back = runAt([step('a')], 0, 'compensate', 'COMPENSATING');
    expect(() => back.move({ state: 'RUNNING' })).toThrow(IllegalMoveError);
    expect(back.state).toBe('COMPENSATING');
  });

  it('commits its pivot before it goes on with anything that could fail', () => {
    const prepared = { ...remote, prepare: () => Promise.resolve() };
    const behind = [step('b'), step('b', { execute: remote }), step('b', { execute: prepared })];
    const commits = behind.map((next) => {
      const run = runAt([pivot(step('a')), next], 0, 'execute');
      run.begin();
      expect(run.mustCommitPivot).toBe(false);
      concludeStep(run, 1);
      const mustCommit = run.mustCommitPivot;
      run.accept();
      expect([run.isPastPivot, run.mustCommitPivot]).toEqual([true, false]);
      return mustCommit;
    });
    expect(commits).toEqual([true, false, true]);
  });

  it('forgets what a failed transaction made of it', () => {
    const run = runAt([step('a'), step('b')], 0, 'execute');
    run.begin();
    run.fail(FAILURE);
    concludeStep(run, 1);
    run.begin();
    expect(placeOf(run)).toMatchObject({ state: 'RUNNING', position: 0, phase: 'execute' });
    expect(run.verdict).toBeUndefined();
  });

  it('tells others only what is committed', () => {
    const run = runAt([step('a')], 0, 'execute');
    run.begin();
    run.conclude('done');
    concludeStep(run, 1);
    expect(run.stored).toMatchObject({ state: 'RUNNING', outcome: null });
    run.accept();
    expect(run.stored).toMatchObject({ state: 'COMPLETED', outcome: 'done' });
  });

  it('keeps the beginning and the end of a long log', () => {
    const run = runAt([step('a', { retry: { ...retry, maxAttempts: 1_000 } })], 0, 'execute');
    for (let attempt = 1; attempt <= 300; attempt += 1) countFailure(run, new Error(`no ${attempt}`), false);
    const { log } = run.progress;
    expect(log).toHaveLength(100);
    expect(log[0]).toMatchObject({ error: 'no 1' });
    expect(log.at(-1)).toMatchObject({ error: 'no 300' });
  });

  it('is not leased any more when its time is over or it was taken away', () => {
    const run = runAt([step('a')], 0, 'execute');
    expect(run.isLeased(1_000)).toBe(true);
    expect(run.isLeased(-1)).toBe(false);
    run.renewLease(performance.now() + 5_000);
    expect(run.isLeased(-1)).toBe(true);
    run.lose();
    expect(run.isLeased(1_000)).toBe(false);
  });
});
