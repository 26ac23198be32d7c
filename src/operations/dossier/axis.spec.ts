import type { LogEntry } from '../../saga/saga-log.js';
import { type Span, spansOfSaga } from './axis.js';

const saga = (log: readonly LogEntry[]) => spansOfSaga({ id: 's', log, owner: null });
const brief = ({ kind, name, from, to, by, result, isBack }: Span) =>
  `${kind} ${name} ${from}-${to}${by === undefined ? '' : ` by ${by}`}${result === undefined ? '' : ` ${result}`}${isBack ? ' back' : ''}`;

describe('a saga on the axis', () => {
  it('draws the wait for a lock once per transaction, the call, and the commits', () => {
    const spans = saga([
      { at: 1_000, kind: 'order.created', by: 'a' },
      { at: 1_003, step: 'create-order', ms: 3, lockWaitMs: 40 },
      { at: 1_008, step: 'reserve-inventory', ms: 5, lockWaitMs: 40 },
      { at: 1_009, step: 'process-payment', ms: 1, result: 'prepared', lockWaitMs: 40 },
      { at: 1_120, step: 'process-payment', phase: 'call', ms: 2, callMs: 100 },
      { at: 1_124, step: 'confirm-order', ms: 4 },
    ]);
    expect(spans.map(brief)).toEqual([
      'note order.created 1000-1000 by a',
      'lock lock for create-order 960-1000 by a',
      'step create-order 1000-1003 by a done',
      'step reserve-inventory 1003-1008 by a done',
      'step process-payment 1008-1009 by a prepared',
      'commit commit 1009-1018 by a',
      'call process-payment 1018-1118 by a answered',
      'step process-payment 1118-1120 by a done',
      'step confirm-order 1120-1124 by a done',
      'commit commit 1124-1124 by a',
    ]);
  });

  it('shows who took it over, and how long nobody drove it', () => {
    const spans = saga([
      { at: 1_000, step: 'process-payment', result: 'prepared', by: 'a' },
      { at: 11_500, step: 'process-payment', phase: 'call', ms: 0, callMs: 30, by: 'b' },
    ]);
    expect(spans.map(brief)).toContain('takeover taken over 1000-11500 by b');
    expect(spans.find(({ kind }) => kind === 'takeover')?.detail).toEqual({ before: 'a' });
    expect(spans.at(-1)?.by).toBe('b');
  });

  it('says what an attempt ran into, and that somebody was waited for', () => {
    const spans = saga([
      { at: 1_000, step: 'process-payment', result: 'prepared', by: 'a' },
      { at: 6_000, step: 'process-payment', phase: 'call', result: 'in-doubt', attempt: 1, error: 'no answer in time' },
      { at: 6_400, step: 'process-payment', phase: 'call', result: 'suspended', callMs: 50 },
      { at: 9_000, step: 'process-payment', phase: 'call', result: 'failed', error: 'PAYMENT_DECLINED', callMs: 20 },
      { at: 9_001, step: 'reserve-inventory', phase: 'undo' },
    ]);
    expect(spans).toContainEqual(
      expect.objectContaining({ kind: 'call', from: 1_000, to: 6_000, result: 'in-doubt', error: 'no answer in time' }),
    );
    expect(spans).toContainEqual(expect.objectContaining({ kind: 'wait', from: 6_400, to: 8_980 }));
    expect(spans).toContainEqual(
      expect.objectContaining({ kind: 'step', result: 'failed', error: 'PAYMENT_DECLINED' }),
    );
    expect(spans).toContainEqual(expect.objectContaining({ kind: 'step', name: 'reserve-inventory', isBack: true }));
  });
});
