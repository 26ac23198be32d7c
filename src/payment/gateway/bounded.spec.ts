import { bounded, neverAnswers } from './bounded.js';
import { GatewayUnknownError } from './payment-gateway.js';

describe('bounded', () => {
  it('answers as the call does, also when it throws before it begins', async () => {
    const { signal } = new AbortController();
    const throwing = () => {
      throw new Error('before it began');
    };
    await expect(bounded(() => Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(bounded(() => Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await expect(bounded(throwing, signal)).rejects.toThrow('before it began');
  });

  it('makes no call when the signal came first', async () => {
    let isMade = false;
    const call = () => Promise.resolve((isMade = true));
    await expect(bounded(call, AbortSignal.abort())).rejects.toThrow(GatewayUnknownError);
    expect(isMade).toBe(false);
  });

  it('is unknown when the signal comes before the answer', async () => {
    const controller = new AbortController();
    const call = neverAnswers(controller.signal);
    controller.abort();
    await expect(call).rejects.toThrow(GatewayUnknownError);
  });
});
