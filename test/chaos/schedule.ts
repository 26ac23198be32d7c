import { Random } from './random.js';

export const INSTANCES = 3;

export type Fault =
  | {
      readonly kind: 'kill instance' | 'stop instance' | 'pause instance';
      readonly instance: number;
      readonly forMs: number;
    }
  | { readonly kind: 'skew clock'; readonly instance: number; readonly skewMs: number }
  | { readonly kind: 'kill redis' | 'pause redis'; readonly forMs: number }
  | { readonly kind: 'flush redis' | 'cut postgres connections' }
  | { readonly kind: 'restart postgres (fast)' | 'restart postgres (crash)'; readonly forMs: number }
  | {
      readonly kind: 'slow gateway' | 'failing gateway' | 'callbacks';
      readonly forMs: number;
      readonly faults: Faults;
    };

export type Faults = Readonly<Record<string, number | boolean>>;
export type FaultKind = Fault['kind'];

export interface Planned {
  readonly atMs: number;
  readonly fault: Fault;
}

const KINDS: readonly FaultKind[] = [
  'kill instance',
  'stop instance',
  'pause instance',
  'skew clock',
  'kill redis',
  'pause redis',
  'flush redis',
  'cut postgres connections',
  'restart postgres (fast)',
  'restart postgres (crash)',
  'slow gateway',
  'failing gateway',
  'callbacks',
];
const QUIET_START_MS = 3_000;
const GAP_MS = { min: 1_500, max: 6_000 };

/** Every kind once in each round, in an order and with parameters that the seed alone decides. */
export function planFaults(seed: number, durationMs: number): Planned[] {
  const random = new Random(seed).fork('schedule');
  const planned: Planned[] = [];
  let atMs = QUIET_START_MS;
  for (;;) {
    for (const kind of random.shuffled(KINDS)) {
      atMs += random.between(GAP_MS.min, GAP_MS.max);
      if (atMs >= durationMs) return planned;
      planned.push({ atMs, fault: faultOf(kind, random) });
    }
  }
}

function faultOf(kind: FaultKind, random: Random): Fault {
  const instance = random.integer(0, INSTANCES - 1);
  switch (kind) {
    case 'kill instance':
    case 'stop instance':
      return { kind, instance, forMs: random.between(100, 3_000) };
    case 'pause instance':
      return { kind, instance, forMs: random.between(500, 8_000) };
    case 'skew clock':
      return { kind, instance, skewMs: random.between(2_000, 90_000) * (random.chance(0.5) ? 1 : -1) };
    case 'kill redis':
    case 'pause redis':
      return { kind, forMs: random.between(300, 5_000) };
    case 'flush redis':
    case 'cut postgres connections':
      return { kind };
    case 'restart postgres (fast)':
    case 'restart postgres (crash)':
      return { kind, forMs: random.between(0, 2_500) };
    case 'slow gateway':
      return { kind, forMs: random.between(3_000, 8_000), faults: { chargeLatencyMs: random.integer(200, 2_500) } };
    case 'failing gateway': {
      const rate = () => random.between(0.2, 0.8);
      const faults = { chargeErrorRate: rate(), refundErrorRate: rate(), captureErrorRate: rate() };
      return { kind, forMs: random.between(3_000, 8_000), faults };
    }
    case 'callbacks': {
      const faults = {
        everyCallback: true,
        duplicateCallbacks: random.integer(0, 3),
        callbackDelayMs: random.integer(0, 3_000),
        reorder: random.chance(0.5),
        earlyCallbacks: random.chance(0.5),
      };
      return { kind, forMs: random.between(4_000, 10_000), faults };
    }
  }
}

export function describeFault(fault: Fault): string {
  const { kind, ...rest } = fault;
  const details = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : JSON.stringify(value)}`,
  );
  return details.length > 0 ? `${kind} (${details.join(', ')})` : kind;
}
