import { describeError } from './describe-error.js';

describe('describeError', () => {
  it('keeps what an operator needs and drops what a driver or a provider attached', () => {
    const refused = Object.assign(new Error('new row violates check constraint "orders_state"'), {
      code: '23514',
      table: 'orders',
      constraint: 'orders_state',
      detail: 'Failing row contains (ada@example.com, pm_card_visa)',
      parameters: ['pm_card_visa'],
      raw: { payment_method: { id: 'pm_card_visa' } },
    });
    const described = describeError(new Error('the batch failed', { cause: refused }));
    expect(described).toMatchObject({ message: 'the batch failed', cause: { code: '23514', table: 'orders' } });
    expect(JSON.stringify(described)).not.toMatch(/pm_card|ada@example/);
  });

  it('does not follow causes for ever, and takes what is no error', () => {
    const circular = new Error('round');
    circular.cause = circular;
    expect(describeError(circular).cause?.cause?.cause?.cause).toBeUndefined();
    expect(describeError('plain')).toEqual({ type: 'string', message: 'plain' });
  });
});
