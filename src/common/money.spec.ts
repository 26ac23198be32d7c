import { formatMoney } from './money.js';

describe('formatMoney', () => {
  it('knows how many digits a currency has', () => {
    expect(formatMoney(1_999, 'EUR')).toBe('19.99 EUR');
    expect(formatMoney(123_450, 'USD')).toBe('1,234.50 USD');
    expect(formatMoney(1_999, 'JPY')).toBe('1,999 JPY');
    expect(formatMoney(1_999, 'KWD')).toBe('1.999 KWD');
    expect(formatMoney(0, 'EUR')).toBe('0.00 EUR');
  });
});
