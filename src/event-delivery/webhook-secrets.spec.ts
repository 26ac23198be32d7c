import { WebhookSecrets } from './webhook-secrets.js';

describe('signing secrets', () => {
  const secrets = new WebhookSecrets('a master secret of tests');

  it('come back from what is stored, which does not show them', () => {
    const secret = secrets.generate();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const sealed = secrets.seal(secret, 'endpoint-1');
    expect(sealed.toString('latin1')).not.toContain(secret.slice(6));
    expect(secrets.unseal(sealed, 'endpoint-1')).toBe(secret);
    expect(secrets.seal(secret, 'endpoint-1')).not.toEqual(sealed);
  });

  it('cannot be moved to another endpoint, changed, or read with another key', () => {
    const sealed = secrets.seal(secrets.generate(), 'endpoint-1');
    expect(() => secrets.unseal(sealed, 'endpoint-2')).toThrow();
    expect(() => new WebhookSecrets('another master secret').unseal(sealed, 'endpoint-1')).toThrow();
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => secrets.unseal(sealed, 'endpoint-1')).toThrow();
  });
});
