import { createRemoteJWKSet, errors, jwtVerify, JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { DomainError } from '../../../common/domain-error.js';
import type { AppConfig } from '../../config/app-config.js';

const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_SECONDS = 5;

/** Customers' own JWTs, signed with a shared secret (HS256) or by an issuer that publishes its keys. */
export class CustomerTokens {
  private readonly key: Uint8Array | JWTVerifyGetKey | undefined;
  private readonly options: JWTVerifyOptions;

  constructor(auth: AppConfig['auth']) {
    this.key = auth.jwksUrl
      ? createRemoteJWKSet(new URL(auth.jwksUrl))
      : auth.jwtSecret
        ? new TextEncoder().encode(auth.jwtSecret)
        : undefined;
    // The algorithms come from our configuration, never from the token: a public key must not be accepted as an HMAC
    // secret.
    this.options = {
      algorithms: auth.jwksUrl ? ASYMMETRIC : ['HS256'],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      ...(auth.jwtIssuer !== undefined && { issuer: auth.jwtIssuer }),
      ...(auth.jwtAudience !== undefined && { audience: auth.jwtAudience }),
    };
  }

  /**
   * The subject of a valid token, within the length of our column and without characters that PostgreSQL or a log
   * rejects.
   */
  async customerOf(authorization: string): Promise<string> {
    const [, token] = /^bearer ([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
    if (!token || !this.key) throw unauthenticated();
    const subject = await this.subjectOf(token, this.key);
    if (typeof subject !== 'string' || !CUSTOMER_ID.test(subject)) throw unauthenticated();
    return subject;
  }

  private async subjectOf(token: string, key: Uint8Array | JWTVerifyGetKey): Promise<unknown> {
    try {
      const verified =
        typeof key === 'function'
          ? await jwtVerify(token, key, this.options)
          : await jwtVerify(token, key, this.options);
      return verified.payload.sub;
    } catch (error) {
      if (isIssuerAway(error))
        throw new DomainError(
          'DEPENDENCY_UNAVAILABLE',
          'The keys of the token issuer are not available',
          {},
          { cause: error },
        );
      throw unauthenticated(); // the caller must not learn which check failed
    }
  }
}

const CUSTOMER_ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Not the token's fault: jose could not fetch the keys (its own codes, or the error of `fetch`). */
function isIssuerAway(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error.code === 'ERR_JWKS_TIMEOUT' || error.code === 'ERR_JOSE_GENERIC';
}

function unauthenticated(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The bearer token is not valid');
}
