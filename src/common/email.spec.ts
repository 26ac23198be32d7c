import { normaliseEmail } from './email.js';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada+tickets@example.com', 'ada@example.com'],
  ['a.d.a+1@googlemail.com', 'ada@gmail.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
])('takes %s for %s', (given, expected) => {
  expect(normaliseEmail(given)).toBe(expected);
});
