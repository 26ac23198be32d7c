// The runner has no time limits of its own: a test or a hook that never ended would stop the whole run.
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';

/** Guards against a hang, and against nothing else: what has to be fast says so itself. */
const LIMIT_MS = 180_000;
/** Drills of full length take longer (`scaled` in scale.ts). */
const FACTOR = process.env.TEST_SCALE === 'full' ? 10 : 1;

function limited(work, shortLimitMs = LIMIT_MS) {
  const limitMs = shortLimitMs * FACTOR;
  return async (...args) => {
    let timer;
    const over = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`did not end within ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([work(...args), over]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const { it } = globalThis;
globalThis.it = (name, work, limitMs) => it(name, limited(work, limitMs));
globalThis.it.only = (name, work, limitMs) => it.only(name, limited(work, limitMs));
globalThis.it.each =
  (...table) =>
  (name, work, limitMs) =>
    it.each(...table)(name, limited(work, limitMs));
for (const hook of ['beforeAll', 'afterAll', 'beforeEach', 'afterEach']) {
  const register = globalThis[hook];
  globalThis[hook] = (work, limitMs) => register(limited(work, limitMs));
}
