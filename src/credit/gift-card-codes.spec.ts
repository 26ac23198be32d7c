import { loadConfig } from '../platform/config/app-config.js';
import { GiftCardCodes } from './gift-card-codes.js';

const OLD = 'the-secret-of-last-year';
const NEW = 'the-secret-of-this-year';
const codesUnder = (...secrets: string[]) => new GiftCardCodes(loadConfig({ GIFT_CARD_SECRET: secrets.join(',') }));

describe('codes of gift cards', () => {
  it('are long, readable and the same for the same account', () => {
    const codes = codesUnder(NEW);
    const { code } = codes.issue('card-1');
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(codes.issue('card-1').code).toBe(code);
    expect(codes.issue('card-2').code).not.toBe(code);
  });

  it('are recognised however they are typed', () => {
    const codes = codesUnder(NEW);
    const { code, hash } = codes.issue('card-1');
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect(codes.hashesOf(typed)).toEqual([hash]);
    expect(codes.hashesOf(`${code.slice(0, -1)}${code.endsWith('Z') ? 'Y' : 'Z'}`)).not.toEqual([hash]);
  });

  it('stay good when the secret is changed, as long as the former one is named', () => {
    const { code, hash } = codesUnder(OLD).issue('card-1');
    expect(codesUnder(NEW, OLD).hashesOf(code)).toContainEqual(hash);
    expect(codesUnder(NEW).hashesOf(code)).not.toContainEqual(hash);
    expect(codesUnder(NEW, OLD).issue('card-1').code).not.toBe(code);
  });
});
