import { isTerminal, sourcesOf } from '../common/state-machine.js';
import { reachableFrom } from '../../test/setup/state-machines.js';
import { PAYMENT_TRANSITIONS, REFUND_TRANSITIONS } from './payment-state.js';

describe('the states of payments and refunds', () => {
  it('are all reachable from PENDING', () => {
    expect(reachableFrom(PAYMENT_TRANSITIONS, 'PENDING')).toEqual(new Set(Object.keys(PAYMENT_TRANSITIONS)));
    expect(reachableFrom(REFUND_TRANSITIONS, 'PENDING')).toEqual(new Set(Object.keys(REFUND_TRANSITIONS)));
  });

  it('let a doubt end either way, and take back nothing but a refund that did not arrive', () => {
    expect(PAYMENT_TRANSITIONS.IN_DOUBT).toEqual(expect.arrayContaining(['CAPTURED', 'DECLINED']));
    expect(sourcesOf(PAYMENT_TRANSITIONS, 'IN_DOUBT')).toEqual(['PENDING']);
    expect(sourcesOf(PAYMENT_TRANSITIONS, 'REFUNDED')).toEqual(['CAPTURED']);
    expect(isTerminal(PAYMENT_TRANSITIONS, 'DECLINED')).toBe(true);
    expect(PAYMENT_TRANSITIONS.REFUNDED).toEqual(['CAPTURED']);
    expect(REFUND_TRANSITIONS.SETTLED).toEqual(['FAILED']);
    expect(REFUND_TRANSITIONS.FAILED).toEqual(['PENDING']);
  });
});
