/** Members that never reach a log, at any depth of a logged object. */
const SECRET = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'cookie',
  'customer',
  'customeremail',
  'email',
  'eventsurl',
  'giftcardcode',
  'idempotency-key',
  'idempotencykey',
  'parameters',
  'password',
  'payment',
  'payment_method',
  'paymentmethod',
  'secret',
  'set-cookie',
  'token',
  'values',
  'x-access-token',
  'x-api-key',
]);
const MAX_DEPTH = 6;

/**
 * Copies only objects that contain a secret. Written by hand, because pino's `redact` with wildcards took 27 µs per
 * line without any nested object (a tenth of that without wildcards): at 2,000 requests per second a twentieth of a
 * core.
 */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return clean(fields, 0) as Record<string, unknown>;
}

function clean(value: object, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const shown = SECRET.has(name.toLowerCase()) ? '[redacted]' : cleanMember(member, depth);
    if (shown === member) continue;
    copy ??= { ...value };
    copy[name] = shown;
  }
  return Array.isArray(value) && copy ? Object.values(copy) : (copy ?? value);
}

/** Errors have their own serializer. Values that are nested deeper than anything we log are left out. */
function cleanMember(member: unknown, depth: number): unknown {
  if (typeof member !== 'object' || member === null || member instanceof Error || member instanceof Date) return member;
  return depth >= MAX_DEPTH ? '[too deep]' : clean(member, depth + 1);
}
