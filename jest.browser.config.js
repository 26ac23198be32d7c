import base from './jest.config.js';

/** `npm run test:browser`: the pages and the client in a real browser. Apart from `npm test`, which has to stay short. */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: [],
  // A browser takes a core of its own.
  maxWorkers: 2,
};
