import path from 'node:path';

/** The services of the whole run; the loader of `npm test` understands TypeScript. */
export default async function globalSetup() {
  process.env['TEST_BUNDLE'] = path.resolve(import.meta.dirname, '../../dist/test');
  const { startTestServices } = await import('./services.ts');
  globalThis.stopTestServices = await startTestServices();
}
