/** What the runtime knows of ISO 4217: a code that nobody can format or charge is a typing error, not a currency. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return CODES.has(code);
}
