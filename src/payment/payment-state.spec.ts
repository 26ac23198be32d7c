import { isTerminal, sourcesOf } from '../common/state-machine.js';
import { reachableFrom } from '../../test/setup/state-machines.js';
import { PAYMENT_TRANSITIONS, REFUND_TRANSITIONS } from './payment-state.js';

describe('the states of payments and refunds', () => {
  it('are all reachable from PENDING', () => {
    expect(reachableFrom(PAYMENT_TRANSITIONS, 'PENDING')).toEqual(new Set(Object.keys(PAYMENT_TRANSITIONS)));
    expect(reachableFrom(REFUND_TRANSITIONS, 'PENDING')).toEqual(new Set(Object.keys(REFUND_TRANSITIONS)));
  });

  it('let an authorisation end in three ways, each for good', () => {
    expect(PAYMENT_TRANSITIONS.AUTHORIZED).toEqual(['CAPTURED', 'VOIDED', 'EXPIRED']);
    expect(sourcesOf(PAYMENT_TRANSITIONS, 'AUTHORIZED')).toEqual(['PENDING', 'REQUIRES_ACTION', 'IN_DOUBT']);
    for (const end of ['VOIDED', 'EXPIRED'] as const) {
      expect(sourcesOf(PAYMENT_TRANSITIONS, end)).toEqual(['AUTHORIZED']);
      expect(isTerminal(PAYMENT_TRANSITIONS, end)).toBe(true);
    }
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
