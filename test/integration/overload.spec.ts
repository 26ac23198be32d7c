import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

describe('an instance with as many requests as it bears', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ MAX_REQUESTS_IN_FLIGHT: '1' });
    await shelve(test.api, 'wanted', 10);
  });
  afterAll(() => test.close());

  it('refuses further ones of storefronts at once, answers operators and health checks, and goes on after it', async () => {
    const slow = test.api.post('/v1/checkouts', basket('wanted', { payment: { method: 'pm_sandbox_slow' } }));
    await eventually('the slow one runs', async () => {
      const rows = await test.database.query(`SELECT 1 FROM sagas WHERE state = 'RUNNING'`);
      return rows.length === 1;
    });
    const refused = await test.api.get('/v1/skus/wanted');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'DEPENDENCY_UNAVAILABLE',
      '1',
    ]);
    expect((await test.api.get('/v1/skus/wanted', { key: 'admin' })).status).toBe(200);
    expect((await test.api.get('/health/ready', { key: 'none' })).status).toBe(200);
    expect((await slow).status).toBe(201);
    // The place is given back when the answer has left, which its reader may know a moment earlier.
    await eventually('storefronts are served', async () => (await test.api.get('/v1/skus/wanted')).status === 200);
    const metrics = (await test.api.get('/metrics', { key: 'admin' })).body as string;
    expect(metrics).toMatch(/requests_shed_total [1-9]/);
  });
});
