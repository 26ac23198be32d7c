/** RFC 9457, as far as every code has it. */
export interface ProblemLike {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string;
}

/** Everything that the client throws of its own. */
export class CheckoutError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The service refused. Every code has a class of its own; a code that is newer than this client has this one. */
export class ProblemError<P extends ProblemLike = ProblemLike> extends CheckoutError {
  /** All members of the problem, those of its code included. */
  readonly problem: P;
  readonly code: P['code'];
  readonly status: P['status'];
  /** Seconds, where the service says when to come back. */
  readonly retryAfter: number | undefined;

  constructor(problem: P, retryAfter?: number) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.retryAfter = retryAfter;
  }
}

/** `instanceof` alone would leave the members of any problem unknown. */
export function isProblem(error: unknown): error is ProblemError {
  return error instanceof ProblemError;
}

/** No answer came, or only a part of one, for as long as the call was retried. What was asked for may have happened. */
export class ConnectionError extends CheckoutError {
  constructor(cause: unknown) {
    super('No answer from the service', { cause });
  }
}
