import { DemoCatalogue } from '../../../src/inventory/sku/demo-catalogue.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { violations } from './inventory-fixture.js';

describe('the demo catalogue', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await test.database.query('TRUNCATE skus, stock_movements');
  });
  afterAll(() => test.close());

  it('is seeded once, into an empty catalogue', async () => {
    const seed = () => test.app.get(DemoCatalogue).seed();
    const counts = [await seed(), await seed()];
    expect(counts).toEqual([expect.any(Number), 0]);
    expect(counts[0]).toBeGreaterThan(10);
    expect((await test.api.get('/v1/skus/demo-mug')).body).toMatchObject({ onHand: 1_000, currency: 'EUR' });
    expect((await test.api.get('/v1/skus?group=cinema:show:12345&available=true')).body.items).toHaveLength(32);
    expect(await violations(test.database)).toEqual([]);
  });
});
