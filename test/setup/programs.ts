import path from 'node:path';

/** The programs that tests start as processes, as they were built or written. */
const PROGRAMS = {
  main: '../../dist/src/main.js',
  export: '../../dist/src/cli/export.js',
  import: '../../dist/src/cli/import.js',
  reconcile: '../../dist/src/cli/reconcile.js',
  standby: 'standby.mjs',
  'second-version': 'second-version.mjs',
  'lock-worker': '../lock/lock-worker.mjs',
} as const;

/** Under `npm test` from the bundle, which loads in less than half the time (scripts/bundle-for-tests.mjs). */
export function programOf(name: keyof typeof PROGRAMS): string {
  const bundle = process.env['TEST_BUNDLE'];
  return bundle === undefined ? inPlace(name) : path.join(bundle, `${name}.js`);
}

function inPlace(name: keyof typeof PROGRAMS): string {
  return path.resolve(import.meta.dirname, PROGRAMS[name]);
}
