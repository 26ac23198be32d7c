const FORMATS = new Map<string, Intl.NumberFormat>();

/** For people: `1,234.50 EUR`. The amount is in minor units, of which ISO 4217 says how many there are. */
export function formatMoney(amount: number, currency: string): string {
  let format = FORMATS.get(currency);
  if (!format) {
    const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions();
    format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    FORMATS.set(currency, format);
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} ${currency}`;
}
