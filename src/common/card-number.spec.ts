import { smallest } from '../../test/setup/timing.js';
import { containsCardNumber, isCardNumber } from './card-number.js';

/** Published test numbers of the networks. */
const NUMBERS = [
  '4242424242424242',
  '4000 0566 5566 5556',
  '5555-5555-5555-4444',
  '2223003122003222',
  '378282246310005',
  '6011 1111 1111 1117',
  '3056930009020004',
  '36227206271667',
  '3566002020360505',
  '6200000000000005',
  '４２４２４２４２４２４２４２４２', // as a Japanese keyboard types it
  '4242\u00a04242\u00a04242\u00a04242',
  '4242–4242–4242–4242',
];

describe('card numbers', () => {
  it.each(NUMBERS)('%s is one', (number) => {
    expect(isCardNumber(number)).toBe(true);
    expect(isCardNumber(` ${number} `)).toBe(true);
  });

  it.each(['6759649826438453', '676770000005', '1234 5678 1234 5670'])('%s is one by its check digit', (number) => {
    expect(isCardNumber(number)).toBe(true);
  });

  it.each([
    'pm_card_visa',
    'pm_1MqLiJLkdIwHu7ixUEgbFdYF',
    '4242424242424241', // check digit
    '42424242424', // too short
    '42424242424242424242', // too long
    '4242-4242-4242-424x',
    '0'.repeat(11),
    '',
  ])('%s is none', (text) => {
    expect(isCardNumber(text)).toBe(false);
  });
});

describe('card numbers in a text', () => {
  it.each([
    ...NUMBERS,
    'card 4242 4242 4242 4242, 12/27',
    '4242424242424242 12 27 123',
    'pan:4242424242424242;cvc:123',
    '{"number":"378282246310005"}',
    'order 17 4242424242424242',
  ])('%s', (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    '1763710000006', // a time in milliseconds
    '+49 151 23456789',
    '0049 30 901820 0000',
    'DE89 3704 0044 0532 0130 00',
    '4006381333931', // a GTIN
    '2026-11-15 10:00:00',
    '550e8400-e29b-41d4-a716-446655440000',
    '00000000-0000-4000-8000-000000000000',
    'pm_1MqLiJLkdIwHu7ixUEgbFdYF',
    'a4242424242424242', // part of a word
    '14242424242424242423',
    '123456789012345678901234567890',
  ])('none in %s', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it('looks at a long text without getting slow', async () => {
    const measure = () => {
      const began = performance.now();
      expect(containsCardNumber('1 '.repeat(2_000))).toBe(false);
      expect(containsCardNumber('1-'.repeat(2_000))).toBe(false);
      expect(containsCardNumber('9'.repeat(4_000))).toBe(false);
      return Promise.resolve(performance.now() - began);
    };
    expect(await smallest(2_000, measure)).toBeLessThan(2_000);
  });

  it('are not the digits of a UUID', () => {
    expect(containsCardNumber('65105693-1595-4227-8aa6-07536064e91a')).toBe(false);
    expect(containsCardNumber('order 65105693-1595-4227-8aa6-07536064e91a, card 4242 4242 4242 4242')).toBe(true);
  });
});
