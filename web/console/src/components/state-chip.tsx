type Tone = 'good' | 'warn' | 'bad' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  COMPLETED: 'good',
  CAPTURED: 'good',
  SETTLED: 'good',
  PROCESSED: 'good',
  DELIVERED: 'good',
  READY: 'good',
  DONE: 'good',
  AUTHORIZED: 'good',
  PENDING: 'warn',
  RUNNING: 'warn',
  WAITING: 'warn',
  COMPENSATING: 'warn',
  REQUIRES_ACTION: 'warn',
  IN_DOUBT: 'warn',
  RECEIVED: 'warn',
  RETRYING: 'warn',
  DEGRADED: 'warn',
  DRAINING: 'warn',
  STOPPED: 'warn',
  BEGUN: 'warn',
  REFUSED: 'warn',
  STUCK: 'bad',
  DEAD: 'bad',
  FAILED: 'bad',
  UNAVAILABLE: 'bad',
  EXPIRED: 'bad',
};

/** A state as the API names it; its colour says whether somebody should look. */
export function StateChip({ state }: { state: string }) {
  const tone = TONES[state] ?? 'plain';
  return <span className={`chip state ${tone}`}>{state.replaceAll('_', ' ').toLowerCase()}</span>;
}
