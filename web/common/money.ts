const formats = new Map<string, { format: Intl.NumberFormat; unit: number }>();

/** `1250`, `EUR` is €12.50. */
export function formatMoney(amount: number, currency: string): string {
  const { format, unit } = formatOf(currency);
  return format.format(amount / unit);
}

/** How many minor units are one: 100 cents, but 1 yen. */
export function minorUnitsOf(currency: string): number {
  return formatOf(currency).unit;
}

/** Of an amount that was typed, with a point or a comma; undefined for what is no amount of this currency. */
export function toMinorUnits(text: string, currency: string): number | undefined {
  const typed = text.trim().replace(',', '.');
  const amount = typed === '' ? NaN : Number(typed) * minorUnitsOf(currency);
  const rounded = Math.round(amount);
  return Math.abs(amount - rounded) < 1e-6 ? rounded : undefined;
}

function formatOf(currency: string) {
  let known = formats.get(currency);
  if (!known) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    known = { format, unit: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) };
    formats.set(currency, known);
  }
  return known;
}
