import { CircuitBreaker } from './circuit-breaker.js';

describe('CircuitBreaker', () => {
  const create = () => {
    const moves: string[] = [];
    const breaker = new CircuitBreaker({ threshold: 3, healthyForMs: 1_000 }, (to) => moves.push(to));
    return { breaker, moves };
  };

  it('opens after a run of failures, which a success interrupts', () => {
    const { breaker, moves } = create();
    breaker.failed();
    breaker.failed();
    breaker.succeeded(0);
    breaker.failed();
    breaker.failed();
    expect(breaker.state(0)).toBe('closed');
    breaker.failed();
    expect(breaker.state(0)).toBe('open');
    breaker.failed();
    expect(moves).toEqual(['open']);
  });

  it('opens at once after a failure that is decisive', () => {
    const { breaker, moves } = create();
    breaker.failed(true);
    breaker.failed(true);
    expect(moves).toEqual(['open']);
  });

  it('returns when it was healthy for longer than the longest lease, and closes after as long again', () => {
    const { breaker, moves } = create();
    for (let failure = 0; failure < 3; failure += 1) breaker.failed();
    expect(breaker.isHealthy).toBe(false);
    breaker.succeeded(100);
    expect(breaker.isHealthy).toBe(true);
    breaker.succeeded(1_000);
    expect(breaker.state(1_000)).toBe('open');
    breaker.succeeded(1_100);
    expect(breaker.state(1_100)).toBe('returning');
    expect(breaker.state(2_099)).toBe('returning');
    expect(breaker.state(2_100)).toBe('closed');
    expect(moves).toEqual(['open', 'returning', 'closed']);
  });

  it('starts over when a probe fails, and opens again while returning', () => {
    const { breaker } = create();
    for (let failure = 0; failure < 3; failure += 1) breaker.failed();
    breaker.succeeded(0);
    breaker.failed();
    breaker.succeeded(900);
    breaker.succeeded(1_800);
    expect(breaker.state(1_800)).toBe('open');
    breaker.succeeded(1_900);
    expect(breaker.state(1_900)).toBe('returning');
    for (let failure = 0; failure < 3; failure += 1) breaker.failed();
    expect(breaker.state(1_950)).toBe('open');
  });
});
