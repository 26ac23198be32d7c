import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/app-config.js';
import { environmentSchema } from '../../src/platform/config/environment.js';

const read = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../..', name), 'utf8');

/** Set by npm or for crash tests, and nobody else's business. */
const INTERNAL = ['FAULT_POINT', 'npm_lifecycle_event'];
const SETTINGS = Object.keys(environmentSchema.shape).filter((name) => !INTERNAL.includes(name));
const DEFAULTS = environmentSchema.parse({}) as Readonly<Record<string, unknown>>;
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

interface Service {
  readonly environment: Readonly<Record<string, string | number>>;
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const passedOn = compose.services['app-1']!.environment;

describe('every setting', () => {
  it('is in the README, and nothing else is', () => {
    const rows = [...read('README.md').matchAll(/^\| (`[A-Z][^|]*`) +\| ([^|]*) \|/gm)];
    const names = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
    expect(names.length).toBe(new Set(names).size);
    expect(sorted(names)).toEqual(sorted(SETTINGS));
  });

  it('has the default that the README says', () => {
    const rows = [...read('README.md').matchAll(/^\| (`[A-Z][^|]*`) +\| ([^|]*) \|/gm)];
    const told = rows.flatMap(([, cell = '', defaults = '']) => {
      const names = [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
      const values = defaults.split(',').map((value) => value.trim());
      return names.map((name, index) => [name, values[index] ?? values[0] ?? ''] as const);
    });
    const wrong = told.filter(([name, value]) => {
      const actual = DEFAULTS[name];
      if (typeof actual === 'number' && name !== 'TRUST_PROXY') return value !== String(actual);
      if (typeof actual === 'boolean' || (typeof actual === 'string' && name !== 'DATA_DIR'))
        return value !== String(actual);
      return /^\d/.test(value);
    });
    expect(wrong).toEqual([]);
  });

  it('is in .env.example, which is a valid configuration', () => {
    const lines = [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(sorted(lines.map(([, name = '']) => name))).toEqual(sorted([...SETTINGS, 'POSTGRES_PASSWORD']));
    expect(() => loadConfig(Object.fromEntries(lines.map(([, name, value]) => [name, value])))).not.toThrow();
  });

  it('is passed on by docker compose, to both instances', () => {
    expect(sorted(Object.keys(passedOn))).toEqual(sorted(SETTINGS.filter((name) => name !== 'DATA_DIR')));
    expect(compose.services['app-2']!.environment).toEqual(passedOn);
  });
});

describe('docker compose', () => {
  const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL'];
  const environments = Object.values(compose.services).flatMap(({ environment = {} }) => Object.entries(environment));

  /** As compose does: `${NAME:?message}` refuses what is not set, `${NAME:-default}` replaces it. */
  function interpolate(text: string, given: Readonly<Record<string, string>>): string {
    return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, mark: string, rest: string) => {
      if (given[name]) return given[name];
      if (mark === '?') throw new Error(rest);
      return rest;
    });
  }
  const load = (given: Readonly<Record<string, string>>) =>
    loadConfig(
      Object.fromEntries(Object.entries(passedOn).map(([name, text]) => [name, interpolate(String(text), given)])),
    );
  const REQUIRED = {
    POSTGRES_PASSWORD: 'of-the-database',
    ADMIN_API_KEY: 'ops=an-admin-key-of-some-length',
    STOREFRONT_API_KEY: 'web=a-storefront-key-of-some-length',
    ACCESS_TOKEN_SECRET: 'a-secret-of-some-length',
    PAYMENT_GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  };

  it('has no password and no key of its own', () => {
    const texts = environments.map(([name, value]) => [name, String(value)] as const);
    for (const [name, text] of texts.filter(
      ([name]) => !FIXED.includes(name) && !/^(POSTGRES_(USER|DB)|ZOO_\w+)$/.test(name),
    ))
      expect(text).toMatch(new RegExp(`^\\$\\{${name}:(-|\\?set ${name} in \\.env)\\}$`));
    for (const [, url] of texts.filter(([name, text]) => name.endsWith('_URL') && text.includes('@')))
      expect(url).toMatch(/:\$\{POSTGRES_PASSWORD:\?/);
  });

  it('runs production as soon as what it asks for is set, and not before', () => {
    expect(load(REQUIRED)).toMatchObject({ isProduction: true, payment: { gateway: 'stripe' } });
    for (const name of Object.keys(REQUIRED).filter((name) => !name.startsWith('STRIPE')))
      expect(() => load({ ...REQUIRED, [name]: '' })).toThrow(`set ${name} in .env`);
  });

  it('passes on what is set', () => {
    const config = load({
      ...REQUIRED,
      TRUST_PROXY: '10.0.0.0/8',
      DECLINE_LIMIT_TOTAL: '7',
      RESERVATION_TTL_SECONDS: '60',
    });
    expect(config.http).toMatchObject({ trustedProxies: ['10.0.0.0/8'], declineLimits: { all: 7 } });
    expect(config.reservation.ttlSeconds).toBe(60);
  });
});

describe('production', () => {
  const ENV = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://x',
    ADMIN_API_KEY: 'an-admin-key-of-some-length',
    STOREFRONT_API_KEY: 'a-storefront-key-of-some-length',
    ACCESS_TOKEN_SECRET: 'a-secret-of-some-length',
  };
  const STRIPE = { PAYMENT_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };

  it.each([
    ['no gateway', {}, 'Missing configuration: PAYMENT_GATEWAY must be set'],
    ['the sandbox', { PAYMENT_GATEWAY: 'sandbox' }, 'also needs SANDBOX_IN_PRODUCTION=true'],
    ['a short admin key', { ...STRIPE, ADMIN_API_KEY: 'a' }, 'ADMIN_API_KEY: in production every key must have'],
    [
      'a short key beside a long one',
      { ...STRIPE, STOREFRONT_API_KEY: `${ENV.STOREFRONT_API_KEY},web=fifteen-letters` },
      'STOREFRONT_API_KEY: in production every key must have at least 16 characters',
    ],
    ['a fault point', { ...STRIPE, FAULT_POINT: 'x' }, 'FAULT_POINT is refused in production'],
  ])('refuses %s, in one line that gives nothing away', (_, env, message) => {
    const load = () => loadConfig({ ...ENV, ...env });
    expect(load).toThrow(message);
    expect(load).not.toThrow(/\n|fifteen-letters|of-some-length/);
  });

  it('takes Stripe, and the sandbox where somebody insists', () => {
    expect(loadConfig({ ...ENV, ...STRIPE }).payment.gateway).toBe('stripe');
    const allowed = { ...ENV, PAYMENT_GATEWAY: 'sandbox', SANDBOX_IN_PRODUCTION: 'true' };
    expect(loadConfig(allowed).payment.gateway).toBe('sandbox');
    expect(loadConfig({ ADMIN_API_KEY: 'a' }).payment.gateway).toBe('sandbox'); // not production
  });
});
