/** What the service says before the first call; see src/pages/shop-settings.ts. */
export interface ShopSettings {
  readonly apiKey: string;
  readonly url: string;
  readonly hasCustomerTokens: boolean;
  readonly hasDrop: boolean;
}

/** Not through the client, which cannot be made without it. */
export async function loadSettings(): Promise<ShopSettings> {
  const response = await fetch('/shop/config.json');
  if (!response.ok) throw new Error(`The shop’s settings could not be read (${response.status})`);
  return (await response.json()) as ShopSettings;
}
