import { loadConfig } from './app-config.js';
import { toClientKey } from './client-key.js';

describe('an API key in the configuration', () => {
  it.each([
    ['web=3f9a1c0e7b2d5a64', 'web', '3f9a1c0e7b2d5a64'],
    ['Mobile-App.v2=abc', 'Mobile-App.v2', 'abc'],
    ['web=c2VjcmV0', 'web', 'c2VjcmV0'],
    ['web=c2VjcmV0cw==', 'web', 'c2VjcmV0cw=='],
    ['web==a', 'web', '=a'],
  ])('%s is of the client %s', (entry, name, secret) => {
    expect(toClientKey(entry)).toEqual({ name, secret, accepted: [secret, entry] });
  });

  it.each([
    'a-plain-key',
    'c2VjcmV0cw==',
    'c2VjcmV0a2V=',
    'web=',
    'web==',
    '=secret',
    '9lives=secret',
    'a+b/c=d',
    `${'n'.repeat(33)}=secret`,
  ])('%s is a plain key', (entry) => {
    expect(toClientKey(entry)).toEqual({ secret: entry, accepted: [entry] });
  });

  const load = (admin: string, storefront: string) =>
    loadConfig({ ADMIN_API_KEY: admin, STOREFRONT_API_KEY: storefront });

  it.each([
    ['a', 'web=a'],
    ['ops=a', 'a'],
    ['ops=a', 'web=a'],
    ['ops=a', 'x,ops=a'],
  ])('is of one scope only (%s, %s)', (admin, storefront) => {
    expect(() => load(admin, storefront)).toThrow('ADMIN_API_KEY and STOREFRONT_API_KEY share a key');
  });

  it.each(['web=a,app=a', 'web=a,a'])('is of one client only (%s)', (storefront) => {
    expect(() => load('admin', storefront)).toThrow('STOREFRONT_API_KEY gives one key to two clients');
  });

  it('may be written twice, and a client may have several', () => {
    expect(load('x,x', 'web=a,web=b,app=c').auth.storefrontKeys.map(({ name }) => name)).toEqual(['web', 'web', 'app']);
  });
});
