import { z } from 'zod';
import type { PageName } from '../platform/config/app-config.js';
import { RELEASE } from '../platform/config/release.js';

const path = (example: string) => z.string().meta({ examples: [example] });

export const serviceSchema = z
  .object({
    name: z.literal('checkout-saga'),
    version: z.string().meta({ examples: ['0.1.0'] }),
    openapi: path('/openapi.json'),
    documentation: path('/docs'),
    readiness: path('/health/ready'),
    shop: path('/shop').optional().meta({ description: 'Where it is served' }),
    console: path('/console').optional().meta({ description: 'Where it is served' }),
  })
  .meta({ id: 'Service' });

export type ServiceDescription = z.infer<typeof serviceSchema>;

export function toServiceDescription(pages: readonly PageName[]): ServiceDescription {
  return {
    name: 'checkout-saga',
    version: RELEASE,
    openapi: '/openapi.json',
    documentation: '/docs',
    readiness: '/health/ready',
    ...Object.fromEntries(pages.map((page) => [page, `/${page}`])),
  };
}
