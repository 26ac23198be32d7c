const MAX_CAUSES = 3;

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly cause?: DescribedError;
}

/**
 * The members of an error that reach the log: a closed list. pino's serializer copies all members, and PostgreSQL's
 * `detail` contains the refused row, a driver's `parameters` its values, and a provider's `raw` the payment method.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(typeof code === 'string' && { code }),
    ...(typeof table === 'string' && { table }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  };
}
