import type { AppConfig } from './infrastructure/config/app-config.js';

/** What a person needs for a first try; production prints none of it, because it shows the keys. */
export function welcome(config: AppConfig, url: string, isEmbedded: boolean): void {
  if (config.isProduction) return;
  const [admin] = config.auth.adminKeys;
  const [storefront] = config.auth.storefrontKeys;
  const body = JSON.stringify({
    customer: { email: 'ada@example.com' },
    currency: 'EUR',
    lines: [{ sku: 'demo-mug', quantity: 1 }],
    payment: { method: 'pm_card_visa' },
  });
  process.stdout.write(
    [
      '',
      `  checkout-saga is ready at ${url} (API description: ${url}/docs)`,
      `  database: ${isEmbedded ? `embedded PostgreSQL in ${config.dataDir}` : 'DATABASE_URL'} · locks: ${config.lock.driver} · payments: ${config.payment.gateway}`,
      `  admin key:      ${admin ?? ''}`,
      `  storefront key: ${storefront ?? ''}`,
      '',
      '  Try a checkout:',
      `  curl -s ${url}/v1/checkouts -H 'X-Api-Key: ${storefront ?? ''}' -H "Idempotency-Key: $(date +%s%N)" -H 'Content-Type: application/json' -d '${body}'`,
      '',
      '',
    ].join('\n'),
  );
}
