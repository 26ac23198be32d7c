import { getEventListeners } from 'node:events';
import { bounded, neverAnswers } from './bounded.js';
import { GatewayUnknownError } from './payment-gateway.js';

describe('bounded', () => {
  it('answers as the work does', async () => {
    const { signal } = new AbortController();
    await expect(bounded(() => Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(bounded(() => Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('does not begin when the signal came first', async () => {
    let hasBegun = false;
    const work = () => Promise.resolve((hasBegun = true));
    await expect(bounded(work, AbortSignal.abort())).rejects.toThrow(GatewayUnknownError);
    expect(hasBegun).toBe(false);
  });

  it('ends all calls that share a signal', async () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 50 }, () => neverAnswers(controller.signal));
    const settled = Promise.allSettled(calls);
    controller.abort();
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  it('leaves no listener behind, whatever the end', async () => {
    const { signal } = new AbortController();
    const calls = Promise.allSettled([
      ...Array.from({ length: 20 }, () => bounded(() => Promise.resolve(1), signal)),
      bounded(() => Promise.reject(new Error('no')), signal),
      bounded(() => {
        throw new Error('before it began');
      }, signal),
    ]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await calls;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
