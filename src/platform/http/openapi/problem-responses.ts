import type { ErrorCode } from '../../../common/domain-error.js';
import { PROBLEMS, toProblem } from '../problem.js';
import { PROBLEM_EXAMPLES } from './problem-examples.js';
import { problemName } from './problem-schema.js';

const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** One response per status, which lists its codes. A status with a single code refers to a shared response. */
export function problemResponses(codes: Iterable<ErrorCode>): Record<string, unknown> {
  const unique = [...new Set(codes)].sort();
  const statuses = [...new Set(unique.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const group = unique.filter((code) => PROBLEMS[code].status === status);
      const [only] = group;
      return [status, group.length === 1 && only ? { $ref: `#/components/responses/${only}` } : responseOf(group)];
    }),
  );
}

/** The shared responses that were referred to. */
export function problemComponents(codes: ReadonlySet<ErrorCode>, alone: ReadonlySet<string>) {
  const sorted = [...codes].sort();
  return {
    examples: Object.fromEntries(sorted.map((code) => [code, exampleOf(code)])),
    responses: Object.fromEntries(sorted.filter((code) => alone.has(code)).map((code) => [code, responseOf([code])])),
  };
}

function exampleOf(code: ErrorCode): Record<string, unknown> {
  const { detail, members } = PROBLEM_EXAMPLES[code];
  return { summary: PROBLEMS[code].title, value: toProblem(code, detail, { ...members, requestId: REQUEST_ID }) };
}

function responseOf(codes: readonly ErrorCode[]): Record<string, unknown> {
  const isWaiting = codes.some((code) => PROBLEMS[code].retryAfter !== undefined);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
    ...(isWaiting && { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }),
    content: {
      'application/problem+json': {
        schema: schemaOf(codes),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** A response of several codes is a union that generated clients narrow by `code`. */
function schemaOf(codes: readonly ErrorCode[]): Record<string, unknown> {
  const refs = codes.map((code) => `#/components/schemas/${problemName(code)}`);
  if (refs.length === 1) return { $ref: refs[0] };
  return {
    oneOf: refs.map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'code', mapping: Object.fromEntries(codes.map((code, at) => [code, refs[at]])) },
  };
}
