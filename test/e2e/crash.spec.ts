import { SagaRegistry } from '../../src/saga/saga-registry.js';
import { faultPointsOf } from '../../src/saga/engine/saga-fault-points.js';
import { scaled } from '../setup/scale.js';
import { startTestApp } from '../setup/test-app.js';
import { CrashChain, type CrashPoint, type CrashReport, LEASE_MS, type Variant } from './crash-chain.js';

/** Later passes of a point, which the crowd reaches in other circumstances: a resolved doubt, the refund after the look. */
const AGAIN = [
  'before-commit:create-order:execute#2',
  'after-commit:create-order:execute#2',
  'before-call:process-payment:call#3',
  'before-call:process-payment:call#6',
  'after-call:process-payment:call#5',
  'before-call:process-payment:compensate-call#2',
  'after-call:process-payment:compensate-call#2',
  'before-commit:process-payment:compensate-call#2',
  'after-commit:process-payment:compensate-call#2',
];

const VARIANTS: readonly Variant[] = ['restart', 'takeover'];

async function pointsOfCheckout(): Promise<CrashPoint[]> {
  const { app, close } = await startTestApp();
  const definition = app.get(SagaRegistry).find('checkout', 2)!;
  await close();
  return [...faultPointsOf(definition), ...AGAIN].map((point) => ({
    point,
    refundsFail: point.includes('compensate-call:trouble'),
  }));
}

describe('a process that is killed at any point of a checkout', () => {
  let points: CrashPoint[];
  const reports: CrashReport[] = [];
  /** The short drill kills at every point once, and takes turns. */
  const pointsOf = (variant: Variant) =>
    points.filter((_, index) => scaled(VARIANTS[index % VARIANTS.length] === variant, true));
  beforeAll(async () => {
    points = await pointsOfCheckout();
    process.stdout.write(`\nKilled at ${points.length} points; taken over after; how the orders stood when it died:\n`);
    const done = await Promise.all(VARIANTS.map((variant) => CrashChain.run(variant, pointsOf(variant))));
    reports.push(...done.flat());
  }, 3_600_000);

  it('is killed at every point that its definition has, going and coming back', () => {
    for (const variant of VARIANTS) {
      const killed = reports.filter((report) => report.variant === variant).map(({ point }) => point);
      expect(killed).toEqual(pointsOf(variant).map(({ point }) => point));
    }
    expect(points.length).toBeGreaterThanOrEqual(18 + AGAIN.length);
  });

  it('leaves every order confirmed and charged once, or rejected and charged nothing', () => {
    expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  it('is taken over within two leases by the instance that was there all along', () => {
    const slow = reports.filter(({ variant, takenOverMs }) => variant === 'takeover' && takenOverMs > 2 * LEASE_MS);
    expect(slow.map(({ point, takenOverMs }) => `${point} ${takenOverMs} ms`)).toEqual([]);
  });
});
