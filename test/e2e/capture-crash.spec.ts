import { faultPointsOf } from '../../src/saga/engine/saga-fault-points.js';
import { SagaRegistry } from '../../src/saga/saga-registry.js';
import { startTestApp } from '../setup/test-app.js';
import { type Errand, ErrandChain, type Variant } from './errand-chain.js';

const CAPTURE: Errand = {
  verb: 'capture',
  body: { amount: 700, reason: 'shipped' },
  trouble: { operation: 'capture', effect: 'error-after' },
  order: { state: 'CONFIRMED', payment: { state: 'CAPTURED', amount: 1_000, capturedAmount: 700, refundedAmount: 0 } },
  charge: { state: 'CAPTURED', amount: 1_000, capturedAmount: 700, refundedAmount: 0 },
};
const VOID: Errand = {
  verb: 'cancel',
  body: { reason: 'not in stock after all' },
  trouble: { operation: 'void', effect: 'error-after' },
  order: { state: 'CANCELLED', payment: { state: 'VOIDED', capturedAmount: 0, refundedAmount: 0 } },
  charge: { state: 'VOIDED', capturedAmount: 0, refundedAmount: 0 },
};

const CAPTURE_POINTS = [
  'before-commit:request-capture:execute',
  'after-commit:request-capture:execute',
  'before-call:capture-payment:call',
  'after-call:capture-payment:call',
  'before-commit:capture-payment:call',
  'after-commit:capture-payment:call',
  'before-commit:capture-payment:call:trouble',
  'after-commit:capture-payment:call:trouble',
];
const CANCEL_POINTS = [
  'before-commit:begin-cancellation:execute',
  'after-commit:begin-cancellation:execute',
  'before-call:return-payment:call',
  'after-call:return-payment:call',
  'before-commit:return-payment:call',
  'after-commit:return-payment:call',
  'before-commit:return-payment:call:trouble',
  'after-commit:return-payment:call:trouble',
  'before-commit:restock-inventory:execute',
  'after-commit:restock-inventory:execute',
  'before-commit:restock-inventory:execute:trouble',
  'after-commit:restock-inventory:execute:trouble',
];

const VARIANTS: readonly Variant[] = ['restart', 'takeover'];

describe('a process that is killed at any point', () => {
  it('is killed at every point that the definitions have', async () => {
    const { app, close } = await startTestApp();
    const pointsOf = (name: string, version: number) =>
      faultPointsOf(app.get(SagaRegistry).find(name, version)!).toSorted();
    const points = [pointsOf('capture-order', 1), pointsOf('cancel-order', 2)];
    await close();
    expect(points).toEqual([CAPTURE_POINTS.toSorted(), CANCEL_POINTS.toSorted()]);
  });

  describe.each(VARIANTS)('by %s', (variant) => {
    const expectOf = async (errand: Errand, points: readonly string[]) => {
      const reports = await ErrandChain.run(variant, errand, points);
      const wanted = { status: 200, order: errand.order, charges: [errand.charge] };
      expect(reports).toMatchObject(points.map((point) => ({ point, outcomes: [wanted, wanted] })));
    };

    it('of a capture takes once what was asked for', () => expectOf(CAPTURE, CAPTURE_POINTS), 600_000);

    it('of the cancellation of an authorised order voids it once', () => expectOf(VOID, CANCEL_POINTS), 600_000);
  });
});
