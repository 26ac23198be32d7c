const BETWEEN_DIGITS = /[\p{Zs}\p{Pd}]/gu;
const ONLY_DIGITS = /^[\d\p{Zs}\p{Pd}]+$/u;
/** Groups of digits with one space or dash between them, not part of a longer word. */
const GROUPS = /(?<![\p{L}\p{N}])\d+(?:[\p{Zs}\p{Pd}]\d+)*(?![\p{L}\p{N}])/gu;
/** One in some ten thousand has digits at its beginning that look like a card number, and shops put many of them into metadata. */
const UUIDS = /(?<![\p{L}\p{N}])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\p{L}\p{N}])/giu;
const SHORTEST = 12;
const LONGEST = 19;

/** Where the numbers of the large networks begin, and how long they are. Maestro's ranges would cover half of all numbers. */
const NETWORKS = [
  /^4(?:\d{15}|\d{18})$/, // Visa
  /^(?=\d{16}$)(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^(?:6011|64[4-9]|65)\d{10,15}$/, // Discover
  /^35(?:2[89]|[3-8]\d)\d{12}$/, // JCB
  /^3(?:0[0-59]|[689]\d)\d{11}(?:\d{2})?$/, // Diners Club
  /^62\d{14,17}$/, // UnionPay
];

/** The whole text is 12 to 19 digits whose check digit is right: for fields in which no other number belongs. */
export function isCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  if (!ONLY_DIGITS.test(plain)) return false;
  const digits = plain.replace(BETWEEN_DIGITS, '');
  return digits.length >= SHORTEST && digits.length <= LONGEST && hasCheckDigit(digits);
}

/**
 * The text contains a number that a large network could have issued. Stricter than `isCardNumber`, because a tenth of all
 * references, times and telephone numbers have a right check digit by chance.
 */
export function containsCardNumber(text: string): boolean {
  return (text.normalize('NFKC').replace(UUIDS, '').match(GROUPS) ?? []).some((run) => {
    const groups = run.split(BETWEEN_DIGITS);
    return groups.some((_, first) => beginsCardNumber(groups, first));
  });
}

/** What follows a card number, such as its expiry, is not part of it. */
function beginsCardNumber(groups: readonly string[], first: number): boolean {
  let digits = '';
  for (let next = first; next < groups.length; next += 1) {
    digits += groups[next] ?? '';
    if (digits.length > LONGEST) return false;
    if (NETWORKS.some((network) => network.test(digits)) && hasCheckDigit(digits)) return true;
  }
  return false;
}

/** Luhn. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
