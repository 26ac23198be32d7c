/** A request of the collection, in the words of whoever reads its story. */
export interface Step {
  readonly name: string;
  readonly call: string;
  readonly about?: string;
  /** The storefront's, unless told. */
  readonly as?: 'admin' | 'nobody';
  /** A fresh key with `true`; the same text is the same key. */
  readonly key?: true | string;
  /** Name of the variable that holds the access token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Lines of JavaScript, run in Postman's sandbox after the answer. */
  readonly tests: readonly string[];
}

export interface Story {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

const text = JSON.stringify;

/** The building blocks of tests, as Postman would have them written. `path` is a lodash path into the JSON body. */
export const status = (code: number) => `pm.test('answers ${code}', () => pm.response.to.have.status(${code}));`;

export const has = (path: string, expected: unknown) =>
  `pm.test(${text(`${path} is ${text(expected)}`)}, () => pm.expect(require('lodash').get(pm.response.json(), ${text(path)})).to.eql(${text(expected)}));`;

/** Compared with a variable that an earlier request saved. */
export const equals = (path: string, variable: string) =>
  `pm.test(${text(`${path} is that of {{${variable}}}`)}, () => pm.expect(String(require('lodash').get(pm.response.json(), ${text(path)}))).to.eql(String(pm.collectionVariables.get(${text(variable)}))));`;

export const header = (name: string, expected: string) =>
  `pm.test(${text(`${name}: ${expected}`)}, () => pm.expect(pm.response.headers.get(${text(name)})).to.match(new RegExp(${text(expected)})));`;

export const save = (variable: string, path: string) =>
  `pm.collectionVariables.set(${text(variable)}, require('lodash').get(pm.response.json(), ${text(path)}));`;

export const problem = (code: number, name: string) => [
  status(code),
  header('Content-Type', 'application/problem\\+json'),
  has('code', name),
];

/** Asks again every quarter of a second until the member has the value, then asserts it. */
export const until = (path: string, expected: unknown, seconds = 120) => [
  `const value = require('lodash').get(pm.response.json(), ${text(path)});`,
  `const tries = Number(pm.collectionVariables.get('tries') || 0) + 1;`,
  `if (value !== ${text(expected)} && tries < ${seconds * 4}) {`,
  `  pm.collectionVariables.set('tries', tries);`,
  `  pm.execution.setNextRequest(pm.info.requestId);`,
  `  setTimeout(() => {}, 250);`,
  `} else {`,
  `  pm.collectionVariables.unset('tries');`,
  `  ${has(path, expected)}`,
  `}`,
];
