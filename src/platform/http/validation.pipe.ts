import { ArgumentMetadata, Injectable, PipeTransform, type StandardSchemaValidationPipe } from '@nestjs/common';
import { containsCardNumber } from '../../common/card-number.js';
import { DomainError } from '../../common/domain-error.js';

type Issues = Parameters<
  NonNullable<NonNullable<ConstructorParameters<typeof StandardSchemaValidationPipe>[0]>['exceptionFactory']>
>[0];

const MAX_REPORTED = 20;

export function validationError(issues: Issues): DomainError {
  const errors = issues.slice(0, MAX_REPORTED).map((issue) => ({
    path: (issue.path ?? []).map((segment) => shown(typeof segment === 'object' ? segment.key : segment)).join('.'),
    message: shown(issue.message),
  }));
  const first = errors[0];
  const where = first?.path ? `${first.path}: ` : '';
  return new DomainError('VALIDATION_FAILED', `${where}${first?.message ?? 'invalid request'}`, { errors });
}

/** Member names come from the sender, and problems end up in the logs of proxies and storefronts. */
function shown(text: PropertyKey): string {
  return containsCardNumber(String(text)) ? '[hidden]' : String(text);
}

/**
 * Validates every argument that names a schema (`@Body({ schema })`), and reports every wrong field. Nest's own pipe
 * walks every body again to strip `__proto__`, which Fastify's parser already refuses, and awaits every argument.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (!schema) return value;
    const result = schema['~standard'].validate(value);
    if (result instanceof Promise) {
      // None of our schemas is asynchronous. zod falls back to its asynchronous mode when a check throws at a value of
      // the wrong type.
      result.catch(() => undefined);
      throw validationError([{ message: 'has a value of a wrong type' }]);
    }
    if (result.issues) throw validationError(result.issues);
    return result.value;
  }
}
