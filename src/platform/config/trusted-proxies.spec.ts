import { loadConfig } from './app-config.js';

const proxiesOf = (text: string) => loadConfig({ TRUST_PROXY: text }).http.trustedProxies;

describe('TRUST_PROXY', () => {
  it.each([
    ['', 0],
    ['false', 0],
    ['true', 1],
    ['0', 0],
    ['2', 2],
    ['10.0.0.7', ['10.0.0.7']],
    ['10.0.0.0/8, 203.0.113.9', ['10.0.0.0/8', '203.0.113.9']],
    ['2001:db8::/32,::1', ['2001:db8::/32', '::1']],
    ['loopback,uniquelocal', ['loopback', 'uniquelocal']],
  ])('%s', (text, proxies) => {
    expect(proxiesOf(text)).toEqual(proxies);
  });

  it.each([
    'yes',
    '11',
    '-1',
    '10.1/16',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0.0/8/8',
    '0.0.0.0/0',
    '::/0',
    'fe80::1%eth0',
    '10.0.0.1,',
    'shop.example',
    '2,10.0.0.1',
  ])('refuses %s', (text) => {
    expect(() => proxiesOf(text)).toThrow(/^Invalid configuration: TRUST_PROXY=[^\n]*: must be [^\n]*$/);
  });
});
