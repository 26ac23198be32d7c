/** @type {import('jest').Config} */
export default {
  // In plain Node: what a file imports is loaded once per worker, not once per file, which was a third of the time.
  runner: 'jest-light-runner',
  setupFilesAfterEnv: ['<rootDir>/test/setup/time-limit.mjs'],
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: {},
  // Browsers are heavy: `npm run test:browser`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  globalSetup: '<rootDir>/test/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
  // Twice as many as a small machine has cores: many files wait for leases and processes.
  maxWorkers: 6,
  testSequencer: '<rootDir>/test/setup/longest-first.mjs',
};
