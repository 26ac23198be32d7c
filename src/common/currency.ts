/** The ISO 4217 codes that the runtime knows. A code that cannot be formatted is a typing error. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return CODES.has(code);
}
