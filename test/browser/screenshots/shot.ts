import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ApiClient } from '../../setup/api-client.js';

export interface Shot {
  /** The name of the file in docs/screenshots. */
  readonly name: string;
  /** Where the visitor begins, below the service's address. */
  readonly path: string;
  readonly screen: BrowserContextOptions;
  /** What happened before the visitor came. */
  readonly before?: (api: ApiClient) => Promise<void>;
  /** What the visitor does until there is something to see. */
  readonly until: (page: Page) => Promise<void>;
}

export const DESK = { viewport: { width: 1_280, height: 860 } } as const;
export const PHONE = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;
export const LIGHT = { colorScheme: 'light' } as const;
export const DARK = { colorScheme: 'dark' } as const;
