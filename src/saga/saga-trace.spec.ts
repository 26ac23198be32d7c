import { traceOf } from './saga-trace.js';

const TRACE = `${'a'.repeat(32)}-${'b'.repeat(16)}-1-${'c'.repeat(16)}`;

describe('the trace of a stored saga', () => {
  it('is named by the first line, and began before what that transaction waited for', () => {
    const log = [
      { at: 1_020, kind: 'order.created', trace: TRACE, by: 'me' },
      { at: 1_021, step: 'create-order', ms: 5, lockWaitMs: 12 },
      { at: 2_000, step: 'process-payment', lockWaitMs: 500 },
    ];
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: 'c'.repeat(16), isSampled: true };
    expect(traceOf(log)).toEqual({ ...ids, from: 1_004 });
  });

  it('is none where nothing was traced', () => {
    expect(traceOf([])).toBeUndefined();
    expect(traceOf([{ at: 1, step: 'create-order' }])).toBeUndefined();
  });
});
