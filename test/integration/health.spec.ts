import { startTestApp, TestApp } from '../setup/test-app.js';

describe('health and errors', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  it('is live and ready', async () => {
    expect((await test.api.get('/health/live', { key: 'none' })).body).toEqual({ status: 'live' });
    const ready = await test.api.get('/health/ready', { key: 'none' });
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({
      status: 'ready',
      checks: { database: { state: 'up' }, migrations: { state: 'up' } },
    });
  });

  it('answers an unknown route with a problem and the request id', async () => {
    const answer = await test.api.get('/nowhere', { headers: { 'x-request-id': 'req-42' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('x-request-id')).toBe('req-42');
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: 'req-42' });
  });

  it('replaces a request id that could forge a log line', async () => {
    const answer = await test.api.get('/health/live', { headers: { 'x-request-id': 'a b{}' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('serves its own description', async () => {
    const answer = await test.api.get('/openapi.json', { key: 'none' });
    expect(answer.body.openapi).toBe('3.1.0');
    expect((await test.api.get('/docs', { key: 'none' })).status).toBe(200);
  });
});
