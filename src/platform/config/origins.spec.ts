import { loadConfig } from './app-config.js';

const originsOf = (text: string) => loadConfig({ CORS_ORIGINS: text }).http.corsOrigins;

describe('CORS_ORIGINS', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['HTTPS://Shop.Example:443/', 'https://shop.example'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['http://[::1]:80', 'http://[::1]'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['*', '*'],
  ])('%s is sent by browsers as %s', (written, sent) => {
    expect(originsOf(written)).toEqual([sent]);
  });

  it('is a list', () => {
    expect(originsOf(' https://a.example/ ,https://b.example,')).toEqual(['https://a.example', 'https://b.example']);
  });

  it.each([
    'shop.example',
    'localhost:5173',
    'https://shop.example/checkout',
    'https://shop.example/?',
    'https://shop.example?a=1',
    'https://shop.example/#top',
    'https://user@shop.example',
    'https://*.shop.example',
    'https://',
    'file:///index.html',
    'null',
    'https://a.example https://b.example',
  ])('refuses %s, which no browser sends', (written) => {
    expect(() => originsOf(`https://good.example,${written}`)).toThrow(
      /^Invalid configuration: CORS_ORIGINS=[^\n]*: [^\n]* is not an origin such as https:\/\/shop\.example$/,
    );
  });
});
