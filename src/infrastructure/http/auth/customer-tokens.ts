import { createRemoteJWKSet, jwtVerify, JWTVerifyGetKey } from 'jose';
import { DomainError } from '../../../common/domain-error.js';
import type { AppConfig } from '../../config/app-config.js';

/** Customers' own JWTs, signed with a shared secret (HS256) or by an issuer that publishes its keys. */
export class CustomerTokens {
  private readonly key: Uint8Array | JWTVerifyGetKey | undefined;
  private readonly algorithms: string[];

  constructor(auth: AppConfig['auth']) {
    this.key = auth.jwksUrl
      ? createRemoteJWKSet(new URL(auth.jwksUrl))
      : auth.jwtSecret
        ? new TextEncoder().encode(auth.jwtSecret)
        : undefined;
    this.algorithms = auth.jwksUrl ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : ['HS256'];
  }

  /** The subject of a valid token. */
  async customerOf(authorization: string): Promise<string> {
    const [scheme, token] = authorization.split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token || !this.key) throw unauthenticated();
    try {
      const options = { algorithms: this.algorithms, requiredClaims: ['sub', 'exp'] };
      const { payload } =
        typeof this.key === 'function'
          ? await jwtVerify(token, this.key, options)
          : await jwtVerify(token, this.key, options);
      if (payload.sub) return payload.sub;
    } catch {
      // Which check failed is nobody's business.
    }
    throw unauthenticated();
  }
}

function unauthenticated(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The bearer token is not valid');
}
