import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const START_MS = 60_000;

export interface PrismProxy {
  readonly url: string;
  stop(): void;
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** Prism in front of the service: it compares every answer with openapi.json, and says in a header what does not fit. */
export async function startPrism(target: string): Promise<PrismProxy> {
  const port = await freePort();
  const cli = path.join(ROOT, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const args = ['proxy', path.join(ROOT, 'openapi.json'), target, '-p', String(port)];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`Prism did not start:\n${output}`));
    const timer = setTimeout(fail, START_MS);
    child.once('exit', fail);
    child.stdout.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-10_000);
      if (!output.includes('Prism is listening')) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

/** What Prism has found in an answer. Stories send wrong requests on purpose: those are none of our concern. */
export function violationsOf(headers: readonly { readonly key: string; readonly value: string }[]): string[] {
  const found = headers.find(({ key }) => key.toLowerCase() === 'sl-violations');
  if (!found) return [];
  return (JSON.parse(found.value) as Violation[])
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}
