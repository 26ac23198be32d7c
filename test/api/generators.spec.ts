import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const tool = (file: string, ...args: string[]) =>
  run(process.execPath, [path.join(ROOT, 'node_modules', file), ...args], { cwd: ROOT });

const STRICT = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
};

/** What somebody writes who has nothing of ours but the document: errors narrow by their code, requests by what they buy. */
const PROGRAMS = {
  'openapi-typescript.ts': `
import type { components, operations } from './schema.js';

type Problem = operations['checkOut']['responses'][409]['content']['application/problem+json'];
type Body = operations['checkOut']['requestBody']['content']['application/json'];

export const byLines: Body = { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }], payment: { method: 'pm_card_visa' } };
export const byHold: Body = { currency: 'EUR', reservationId: 'r', payment: { method: 'pm_card_visa' } };
// @ts-expect-error neither lines nor a reservation
export const neither: Body = { currency: 'EUR', payment: { method: 'pm_card_visa' } };

export function missing(problem: Problem): number {
  switch (problem.code) {
    case 'OUT_OF_STOCK':
      return problem.shortages.reduce((sum, { requested, available }) => sum + requested - available, 0);
    case 'PRICE_CHANGED':
      return problem.quote.lines.reduce((sum, { amount }) => sum + amount, 0);
    default:
      // @ts-expect-error no other code has shortages
      return problem.shortages.length;
  }
}

export function hear(event: components['schemas']['DomainEvent']): string {
  if (event.type === 'payment.declined') return event.data.declineCode;
  return event.type === 'order.confirmed' ? event.data.lines.map(({ sku }) => sku).join() : event.subject;
}
`,
  'hey-api.ts': `
import { checkOut, getOrder } from './hey/sdk.gen.js';
import type { CheckOutErrors, DomainEvent } from './hey/types.gen.js';

export async function buy(): Promise<string> {
  const { data, error } = await checkOut({
    body: { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }], payment: { method: 'pm_card_visa' } },
    headers: { 'Idempotency-Key': 'k' },
  });
  if (data === undefined) return explain(error);
  const { data: order } = await getOrder({ path: { id: data.id } });
  return order?.state === 'CONFIRMED' ? data.accessToken : (order?.rejection?.code ?? '');
}

function explain(problem: CheckOutErrors[keyof CheckOutErrors]): string {
  if (problem.code === 'OUT_OF_STOCK') return problem.shortages.map(({ sku }) => sku).join();
  return problem.code === 'PAYMENT_DECLINED' ? problem.declineCode : problem.detail;
}

export const isPaid = (event: DomainEvent): boolean => event.type === 'payment.captured' && event.data.amount > 0;
`,
};

describe('the API description in the hands of other people’s tools', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'checkout-generated-'));
    mkdirSync(path.join(folder, 'hey'));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
    for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(path.join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('passes Spectral’s rules for OpenAPI without a warning', async () => {
    const { stdout } = await tool(
      '@stoplight/spectral-cli/dist/index.js',
      'lint',
      'openapi.json',
      '--fail-severity=warn',
    );
    expect(stdout).toContain('No results');
  });

  it('makes clients that compile in strict mode, and know the members of every refusal', async () => {
    const document = path.join(ROOT, 'openapi.json');
    const config = path.join(folder, 'redocly.yaml');
    writeFileSync(config, '{}');
    await tool('openapi-typescript/bin/cli.js', document, '-o', path.join(folder, 'schema.ts'), '--redocly', config);
    const hey = ['-i', document, '-o', path.join(folder, 'hey'), '--no-log-file', '-s'];
    await tool('@hey-api/openapi-ts/bin/run.js', ...hey);
    const compiled = await tool('typescript/bin/tsc', '-p', folder).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(compiled.stdout).toBe('');
  });
});
