/** SQLSTATEs after which the same closure may succeed in a fresh transaction. */
const RETRYABLE = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
]);

const READ_ONLY_SERVER = '25006';

/** The server is away, restarting, full or a standby. Whether the transaction took effect is unknown. */
const UNAVAILABLE = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '08000', '08001', '08003', '08004', '08006', '08007'],
  READ_ONLY_SERVER,
  '57014', // query_canceled: the statement timeout, usually behind a lock
  '25P03', // idle_in_transaction_session_timeout: this process was paused, and the server ended its transaction
  '25P04', // transaction_timeout: the same
]);
const UNAVAILABLE_NODE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
const UNAVAILABLE_TEXT =
  /connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i;

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error) ?? '');
}

/** Raised by expect_rows(): a statement did not touch as many rows as it had to. */
export function isUnexpectedCount(error: unknown): boolean {
  return codeOf(error) === 'CS001';
}

/** After this the server closes the connection. */
export function endsSession(error: Error): boolean {
  return 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC');
}

/** The statement ran into its timeout, or somebody cancelled it. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** A broken or missing connection. A COMMIT that ends this way may or may not have landed. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return UNAVAILABLE.has(code) || UNAVAILABLE_NODE.has(code);
  return error instanceof Error && UNAVAILABLE_TEXT.test(error.message);
}

/** Text that no column accepts (NUL, half a surrogate pair): the caller's mistake that validation missed. */
export function isUnstorableText(error: unknown): boolean {
  const code = codeOf(error);
  return code === '22021' || code === '22P05';
}

/** Class 23: a constraint refused the write. */
export function isConstraintViolation(error: unknown): boolean {
  return codeOf(error)?.startsWith('23') ?? false;
}

/** The connection leads to a standby, and a write needs another connection. */
export function isReadOnlyServer(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_SERVER;
}

/** The role lacks a privilege, or the server takes no writes (a standby). */
export function isNotAllowed(error: unknown): boolean {
  return codeOf(error) === '42501' || isReadOnlyServer(error);
}
