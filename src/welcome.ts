import { type AppConfig, playMoneyNotice } from './platform/config/app-config.js';

/**
 * What a person needs for a first try; production prints none of it but a warning. Only keys that were generated on this machine are
 * shown: those from the environment are somebody's secret, and this output ends up in logs.
 */
export function welcome(config: AppConfig, url: string, isEmbedded: boolean): void {
  const notice = playMoneyNotice(config);
  if (notice !== undefined) process.stderr.write(`WARNING: ${notice}\n`);
  if (config.isProduction) return;
  const { adminKey, storefrontKey } = config.auth.generated;
  process.stdout.write(
    [
      '',
      `  checkout-saga is ready at ${url} (API description: ${url}/docs)`,
      ...config.pages.map((page) => `  ${`${page}:`.padEnd(9)} ${url}/${page}`),
      `  database: ${isEmbedded ? `embedded PostgreSQL in ${config.dataDir}` : 'DATABASE_URL'} · locks: ${config.lock.driver} · payments: ${config.payment.gateway}`,
      `  admin key:      ${adminKey ?? 'ADMIN_API_KEY'}`,
      `  storefront key: ${storefrontKey ?? 'STOREFRONT_API_KEY'}`,
      '',
      ...(isEmbedded ? firstCheckout(url, storefrontKey ?? '$STOREFRONT_API_KEY') : []),
      '',
    ].join('\n'),
  );
}

/** Of the demo catalogue, which only the embedded database has. */
function firstCheckout(url: string, key: string): string[] {
  const body = JSON.stringify({
    customer: { email: 'ada@example.com' },
    currency: 'EUR',
    lines: [{ sku: 'demo-mug', quantity: 1 }],
    payment: { method: 'pm_card_visa' },
  });
  return [
    '  Try a checkout:',
    `  curl -s ${url}/v1/checkouts -H "X-Api-Key: ${key}" -H "Idempotency-Key: $(date +%s%N)" -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ];
}
