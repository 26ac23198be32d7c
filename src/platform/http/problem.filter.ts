import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, ErrorCode } from '../../common/domain-error.js';
import { messageOf } from '../../common/error-message.js';
import { isUnavailable, isUnstorableText } from '../postgres/sqlstate.js';
import { ReplayedError } from '../idempotency/idempotency.js';
import { traceIdOf } from '../tracing/traced-requests.js';
import { PROBLEMS, toProblem } from './problem.js';

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'VALIDATION_FAILED',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'VALIDATION_FAILED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
};

/** Every failure is answered as application/problem+json. An unexpected one is a 500 that reveals nothing. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const error = this.translate(exception);
    const { status, retryAfter } = PROBLEMS[error.code];
    const { id: requestId, trace } = http.getRequest<FastifyRequest>();
    const names = { requestId, ...traceIdOf(trace) };
    if (status >= 500) this.log(exception, error, names);
    const wait = (error.details['retryAfter'] as number | undefined) ?? retryAfter;
    if (wait !== undefined) void reply.header('retry-after', String(wait));
    if (error instanceof ReplayedError) void reply.header('idempotent-replayed', 'true');
    const problem = toProblem(error.code, error.message, {
      ...error.details,
      ...names,
    });
    void reply.code(status).type('application/problem+json').send(problem);
  }

  /** A dependency that is away is a known condition that passes: one log line each, without a stack. */
  private log(exception: unknown, { code }: DomainError, names: { requestId: string; traceId?: string }): void {
    if (code === 'INTERNAL_ERROR') this.logger.error({ ...names, err: exception, code, msg: 'request failed' });
    else this.logger.warn({ ...names, code, reason: messageOf(exception), msg: 'request refused for now' });
  }

  private translate(exception: unknown): DomainError {
    if (exception instanceof DomainError) return exception;
    const status = statusOf(exception);
    if (status !== undefined && status < 500) {
      const code = BY_STATUS[status] ?? 'VALIDATION_FAILED';
      return new DomainError(
        code,
        exception instanceof Error ? exception.message : PROBLEMS[code].title,
        code === 'VALIDATION_FAILED' ? { errors: [] } : {},
      );
    }
    if (isUnstorableText(exception)) {
      return new DomainError('VALIDATION_FAILED', 'The request contains text that cannot be stored', { errors: [] });
    }
    if (isUnavailable(exception)) {
      return new DomainError('DEPENDENCY_UNAVAILABLE', 'The database is not available, try again shortly');
    }
    return new DomainError('INTERNAL_ERROR', 'An unexpected error occurred');
  }
}

/** Nest's exceptions and Fastify's own errors (body limit, media type, broken JSON) both carry their status. */
function statusOf(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  if (typeof exception === 'object' && exception !== null && 'statusCode' in exception) {
    return typeof exception.statusCode === 'number' ? exception.statusCode : undefined;
  }
  return undefined;
}
