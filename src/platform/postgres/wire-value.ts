/** A parameter as PostgreSQL reads it: text, or bytes as they are. */
export function toWire(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : objectToWire(value);
    case 'symbol':
    case 'function':
      throw new TypeError(`a ${typeof value} cannot be a parameter`);
  }
}

function objectToWire(value: object): string | Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementToWire).join(',')}}`;
  throw new TypeError('an object cannot be a parameter: say JSON.stringify where JSON is meant');
}

const NEEDS_ESCAPE = /["\\]/;

/** The same inside an array. */
export function elementToWire(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = toWire(value);
  if (text === null) return 'NULL';
  if (typeof text !== 'string') return `"\\\\x${text.toString('hex')}"`;
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;
}
