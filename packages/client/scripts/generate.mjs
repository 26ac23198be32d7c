// npm run openapi: what the client knows of the API (types, routes, error classes), written from openapi.json.
// With --check it writes nothing, and names the files that are not up to date.
import openapiTS, { astToString } from 'openapi-typescript';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const HEADER = '// Generated from openapi.json by `npm run openapi`. Do not edit.\n';
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** A POST without effect: it may be repeated although it has no Idempotency-Key. */
const WITHOUT_EFFECT = ['quote'];

/** Every generated file, by its name. */
async function generateClient(document) {
  const operations = operationsOf(document);
  return {
    'schema.ts': HEADER + astToString(await openapiTS(successesOf(document))),
    'storefront-routes.ts': routesFile('STOREFRONT_ROUTES', 'StorefrontMethods', operations.filter(isForStorefronts)),
    'admin-routes.ts': routesFile(
      'ADMIN_ROUTES',
      'AdminMethods',
      operations.filter((op) => !isForStorefronts(op)),
    ),
    'errors.ts': errorsFile(document),
  };
}

/** Refusals are classes, and headers are read by the core: types of the answers are all that callers see. */
function successesOf(document) {
  const copy = JSON.parse(JSON.stringify(document));
  delete copy.webhooks;
  delete copy.components.examples;
  delete copy.components.responses;
  delete copy.components.headers;
  for (const item of Object.values(copy.paths)) {
    for (const method of METHODS.filter((name) => name in item)) {
      const good = Object.entries(item[method].responses).filter(([status]) => status.startsWith('2'));
      item[method].responses = Object.fromEntries(
        good.map(([status, { description, content }]) => [status, { description, ...(content && { content }) }]),
      );
    }
  }
  return copy;
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([route, item]) =>
    METHODS.filter((method) => method in item)
      .filter((method) => !isStream(item[method]))
      .map((method) => ({ method: method.toUpperCase(), route, ...item[method] })),
  );
}

function isStream({ responses }) {
  return Object.keys(responses['200']?.content ?? {}).includes('text/event-stream');
}

function isForStorefronts({ security }) {
  return security.length === 0 || security.some((scheme) => 'storefrontKey' in scheme);
}

function routesFile(name, methods, operations) {
  const entries = operations.map((op) => `  ${op.operationId}: '${routeOf(op)}',`);
  const signatures = operations.map((op) => `  /** ${op.summary.replaceAll('*/', '')} */\n  ${signatureOf(op)}`);
  return `${HEADER}import type { Answer, Body, CallOptions, Query } from '../operation.js';

/** Method, path, and flags: b a body, q a query, k an Idempotency-Key, s may be repeated without one. */
export const ${name} = {
${entries.join('\n')}
} as const;

export interface ${methods} {
${signatures.join('\n')}
}
`;
}

function routeOf({ method, route, operationId, requestBody, parameters = [] }) {
  const isSafe = method !== 'POST' || WITHOUT_EFFECT.includes(operationId);
  const flags = [
    requestBody ? 'b' : '',
    parameters.some((parameter) => parameter.in === 'query') ? 'q' : '',
    isKeyed(parameters) ? 'k' : '',
    isSafe ? 's' : '',
  ].join('');
  return `${method} ${route} ${flags}`.trim();
}

function isKeyed(parameters) {
  return parameters.some(
    ({ $ref, name }) => $ref === '#/components/parameters/IdempotencyKey' || name === 'Idempotency-Key',
  );
}

function signatureOf({ operationId, route, requestBody, parameters = [] }) {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const payload = [];
  if (requestBody) payload.push(`body${requestBody.required === false ? '?' : ''}: Body<'${operationId}'>`);
  else if (query.length > 0) {
    payload.push(`query${query.some(({ required }) => required) ? '' : '?'}: Query<'${operationId}'>`);
  }
  const all = [...names, ...payload, 'options?: CallOptions'];
  return `${operationId}(${all.join(', ')}): Promise<Answer<'${operationId}'>>;`;
}

function errorsFile({ components }) {
  const problems = Object.keys(components.schemas).filter((name) => name.endsWith('Problem'));
  const named = problems.map((name) => ({
    name: name.replace(/(Error)?Problem$/, 'Error'),
    problem: name,
    code: components.schemas[name].properties.code.const,
  }));
  const classes = named.map(
    ({ name, problem }) => `export class ${name} extends ProblemError<Schemas['${problem}']> {}`,
  );
  return `${HEADER}import type { Schemas } from '../operation.js';
import { ProblemError } from '../problem-error.js';

${classes.join('\n')}

/** The class of every code. */
export const ERRORS = {
${named.map(({ name, code }) => `  ${code}: ${name},`).join('\n')}
} as const;
`;
}

const GENERATED = path.resolve(import.meta.dirname, '../src/generated');
const document = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../openapi.json'), 'utf8'));
const isCheck = process.argv.includes('--check');

mkdirSync(GENERATED, { recursive: true });
for (const [name, text] of Object.entries(await generateClient(document))) {
  const file = path.join(GENERATED, name);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) console.log(`${name} is not what openapi.json makes: npm run openapi`);
}
