import { addToCart, checkOut, Lantern, openCart, orderShown, payWith, SALT_ROADS } from './lantern.js';
import { seriousFindings } from './visitor.js';

describe.each([
  ['at a desk', 'light', { width: 1_280, height: 900 }],
  ['on a phone', 'dark', { width: 390, height: 844 }],
] as const)('every view of the shop %s, %s', (_name, colorScheme, viewport) => {
  let shop: Lantern;
  beforeAll(async () => {
    shop = await Lantern.open();
  }, 300_000);
  afterAll(() => shop?.close());

  it('is accessible, and no wider than the screen', async () => {
    const { page } = await shop.visit('', { viewport, colorScheme });
    const findings: Record<string, string[]> = {};
    const look = async (view: string) => {
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      findings[view] = [...(await seriousFindings(page)), ...(tooWide > 0 ? [`${tooWide} pixels too wide`] : [])];
    };
    await page.getByRole('heading', { name: 'Mug' }).waitFor();
    await look('home');
    await addToCart(page, 'Mug');
    await openCart(page);
    await page.getByText('€12.50').last().waitFor();
    await look('cart');
    await page.getByRole('button', { name: 'Close the cart' }).click();
    await checkOut(page);
    await page.getByText('Cards that make trouble').click();
    await look('checkout');
    await payWith(page, 'Declined');
    await page.getByRole('alert').waitFor();
    await look('decline');
    await payWith(page, 'Visa');
    await orderShown(page, 'It’s yours.');
    await look('order');
    await page.goto(`${shop.test.url}/shop/orders`);
    await page.getByText('Confirmed').waitFor();
    await look('orders');
    await page.goto(`${shop.test.url}/shop${SALT_ROADS}`);
    await page.getByRole('group', { name: 'Row A' }).waitFor();
    await look('seats');
    await page.goto(`${shop.test.url}/shop/drop`);
    await page.getByRole('heading', { name: 'Night heron' }).waitFor();
    await look('drop');
    await page.goto(`${shop.test.url}/shop/orders/none`);
    await page.getByRole('heading', { name: 'No such order here' }).waitFor();
    await look('unknown order');
    expect(Object.entries(findings).filter(([, found]) => found.length > 0)).toEqual([]);
    expect(await shop.complaints()).toEqual([]);
  });

  it('changes its colours when it is told to, and remembers it', async () => {
    const { page } = await shop.visit('', { colorScheme });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const before = await background();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    const after = await background();
    expect(after).not.toBe(before);
    await page.reload();
    await page.getByRole('heading', { name: 'Mug' }).waitFor();
    expect(await background()).toBe(after);
  });
});
