import { withoutSecrets } from './redaction.js';

describe('withoutSecrets', () => {
  it('hides secrets at any depth, in lists and in any case', () => {
    const line = {
      path: '/v1/checkouts',
      req: { headers: { Authorization: 'Bearer a', 'x-api-key': 'b', accept: '*/*' } },
      orders: [{ id: 1, payment: { method: 'pm_card_visa' } }],
      token: 'c',
    };
    expect(withoutSecrets(line)).toEqual({
      path: '/v1/checkouts',
      req: { headers: { Authorization: '[redacted]', 'x-api-key': '[redacted]', accept: '*/*' } },
      orders: [{ id: 1, payment: '[redacted]' }],
      token: '[redacted]',
    });
    expect(line.token).toBe('c');
  });

  it('passes a line without secrets on as it is, and stops at depth', () => {
    const plain = { method: 'GET', status: 200 };
    expect(withoutSecrets(plain)).toBe(plain);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(JSON.stringify(withoutSecrets(circular))).toContain('[too deep]');
  });
});
