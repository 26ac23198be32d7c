import { tsImport } from 'tsx/esm/api';

/** Jest runs its global setup outside its own module system, where TypeScript needs another loader. */
export default async function globalSetup() {
  const { startTestServices } = await tsImport('./services.ts', import.meta.url);
  globalThis.stopTestServices = await startTestServices();
}
