import fc from 'fast-check';
import { InvalidSignatureError } from '../payment-gateway.js';
import { signatureOf, verifySignature } from './sandbox-signature.js';

const SECRET = 'a-secret-for-tests';
const NOW = 1_763_200_000_000;
const verify = (body: string, header: string, nowMs = NOW): void =>
  verifySignature(Buffer.from(body), header, SECRET, nowMs);

describe('sandbox signature', () => {
  it('verifies what it signed, whatever the body', () => {
    fc.assert(
      fc.property(fc.string(), (body) => {
        expect(() => verify(body, signatureOf(body, SECRET, NOW))).not.toThrow();
      }),
    );
  });

  it('refuses any other body', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, other) => {
        fc.pre(body !== other);
        expect(() => verify(other, signatureOf(body, SECRET, NOW))).toThrow(InvalidSignatureError);
      }),
    );
  });

  it('refuses any header that is not a signature, and never fails otherwise', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(() => verify('{}', header)).toThrow(InvalidSignatureError);
      }),
    );
  });

  it('accepts one good signature among several', () => {
    const other = signatureOf('{}', 'the-secret-before', NOW).split(',')[1]!;
    expect(() => verify('{}', `${signatureOf('{}', SECRET, NOW)},${other}`)).not.toThrow();
    expect(() => verify('{}', `${other},${signatureOf('{}', SECRET, NOW)}`)).not.toThrow();
  });

  it('refuses a time that is too far away on either side, and a time that was changed', () => {
    const header = signatureOf('{}', SECRET, NOW);
    expect(() => verify('{}', header, NOW + 300_000)).not.toThrow();
    expect(() => verify('{}', header, NOW + 301_000)).toThrow('tolerance');
    expect(() => verify('{}', header, NOW - 301_000)).toThrow('tolerance');
    expect(() => verify('{}', header.replace(/^t=\d+/, `t=${NOW / 1_000 + 300}`), NOW + 301_000)).toThrow('match');
  });
});
