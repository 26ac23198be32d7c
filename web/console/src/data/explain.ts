import { ConnectionError, isProblem } from '@checkout-saga/client';

/** Why something did not work, in a sentence for the operator. */
export function explain(error: unknown): string {
  if (isProblem(error)) return error.problem.detail;
  if (error instanceof ConnectionError) return 'The service does not answer.';
  return error instanceof Error ? error.message : String(error);
}
