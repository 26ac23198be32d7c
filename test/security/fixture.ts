import { SignJWT } from 'jose';
import { startTestApp, TestApp } from '../setup/test-app.js';

const JWT_SECRET = 'a-secret-for-customers-tokens';

export async function customerToken(sub: string): Promise<string> {
  return new SignJWT({ sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(JWT_SECRET));
}

export interface SecurityFixture {
  readonly test: TestApp;
  /** Things that exist and belong to the customer `ada`, by resource and parameter. */
  readonly resources: Readonly<Record<string, string>>;
}

export async function startSecurityFixture(env: Readonly<Record<string, string>> = {}): Promise<SecurityFixture> {
  const test = await startTestApp({ JWT_SECRET, ...env });
  const { api } = test;
  await api.put('/v1/skus/mug', { name: 'Mug', unitAmount: 500, currency: 'EUR', onHand: 1_000 });
  const headers = { authorization: `Bearer ${await customerToken('ada')}` };
  const lines = [{ sku: 'mug', quantity: 1 }];
  const order = await api.post(
    '/v1/checkouts',
    { customer: {}, currency: 'EUR', lines, payment: { method: 'pm_card_visa' } },
    { headers },
  );
  const hold = await api.post('/v1/reservations', { currency: 'EUR', lines }, { headers });
  await api.put('/v1/accounts/credit-ada', { currency: 'EUR', customerId: 'ada' });
  await api.put('/v1/coupons/SAVE10', { percentOff: 10 });
  const resources = {
    'accounts.id': 'credit-ada',
    'coupons.code': 'SAVE10',
    'skus.sku': 'mug',
    'orders.id': order.body.id as string,
    'reservations.id': hold.body.id as string,
    'sagas.id': order.body.sagaId as string,
    provider: 'sandbox',
  };
  return { test, resources };
}
