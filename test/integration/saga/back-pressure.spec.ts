import { eventually } from '../../setup/eventually.js';
import { basket, shelve } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

describe('an instance at its limit', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SAGA_MAX_IN_FLIGHT: '1' });
    await shelve(test.api, 'limited', 10);
  });
  afterAll(() => test.close());

  it('refuses with 503 and Retry-After rather than let a queue grow, and goes on after it', async () => {
    const slow = test.api.post('/v1/checkouts', basket('limited', { payment: { method: 'pm_sandbox_slow' } }));
    await eventually('the slow one runs', async () => {
      const rows = await test.database.query(`SELECT 1 FROM sagas WHERE state = 'RUNNING'`);
      return rows.length === 1;
    });
    const refused = await test.api.post('/v1/checkouts', basket('limited'), { idempotencyKey: 'again' });
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe('DEPENDENCY_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await slow).status).toBe(201);
    const accepted = await test.api.post('/v1/checkouts', basket('limited'), { idempotencyKey: 'again' });
    expect(accepted.status).toBe(201);
  });
});
