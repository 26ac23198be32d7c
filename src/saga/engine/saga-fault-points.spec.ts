import { type Action, pivot, type SagaStep } from '../saga-definition.js';
import { faultPointsOf } from './saga-fault-points.js';

const terms = { leaseMs: 1, waitMs: 1 };
const local: Action<unknown> = { kind: 'local', run: () => Promise.resolve() };
const locked: Action<unknown> = { ...local, locks: { keys: () => ['key'], terms } };
const remote: Action<unknown> = {
  kind: 'remote',
  call: () => Promise.resolve(),
  resolve: () => Promise.resolve(undefined),
  record: () => Promise.resolve(),
};
const step = (name: string, parts: Partial<SagaStep<unknown>> = {}): SagaStep<unknown> => ({
  name,
  retry: { maxAttempts: 1, baseMs: 1, capMs: 1 },
  timeoutMs: 1,
  execute: local,
  ...parts,
});
const placesOf = (steps: readonly SagaStep<unknown>[]) =>
  faultPointsOf({ steps })
    .filter((point) => point.startsWith('before-commit:') && !point.endsWith(':trouble'))
    .map((point) => point.slice('before-commit:'.length));

describe('faultPointsOf', () => {
  it('has one commit where all steps share a transaction, and no trouble without a row', () => {
    expect(faultPointsOf({ steps: [step('a'), step('b', { execute: locked })] })).toEqual([
      'before-commit:a:execute',
      'after-commit:a:execute',
    ]);
  });

  it('surrounds calls, their records and their trouble', () => {
    expect(faultPointsOf({ steps: [step('a', { execute: remote })] })).toEqual([
      'before-commit:a:execute',
      'after-commit:a:execute',
      'before-call:a:call',
      'after-call:a:call',
      'before-commit:a:call',
      'after-commit:a:call',
      'before-commit:a:call:trouble',
      'after-commit:a:call:trouble',
    ]);
  });

  it('finds the transaction that a lock behind a call needs, and the ways back', () => {
    expect(
      placesOf([step('a', { compensate: local }), step('b', { execute: remote }), step('c', { execute: locked })]),
    ).toEqual(['a:execute', 'b:call', 'a:compensate', 'c:execute']);
    expect(placesOf([step('a', { execute: remote, compensate: remote })])).toEqual([
      'a:execute',
      'a:call',
      'a:compensate',
      'a:compensate-call',
    ]);
  });

  it('finds no way back behind the pivot', () => {
    const steps = [pivot(step('a', { compensate: remote })), step('b', { execute: remote })];
    expect(placesOf(steps)).toEqual(['a:execute', 'b:call']);
  });

  it('ends the transaction of the pivot, which may itself turn back', () => {
    const steps = [step('a', { compensate: locked }), pivot(step('b')), step('c')];
    expect(placesOf(steps)).toEqual(['a:execute', 'c:execute', 'a:compensate']);
    const prepared = { ...remote, prepare: () => Promise.resolve() };
    expect(placesOf([pivot(step('a')), step('b', { execute: prepared })])).toEqual([
      'a:execute',
      'b:execute',
      'b:call',
    ]);
  });
});
