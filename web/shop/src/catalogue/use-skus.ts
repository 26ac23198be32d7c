import type { Sku } from '@checkout-saga/client';
import { type Followed, useFollowed } from '../../../common/use-followed.js';
import { useShop } from '../shop.js';

/** What was seen last, so that a view that is opened again is there at once. */
const latest = new Map<string, readonly Sku[]>();

/** A group of SKUs as it changes. */
export function useSkus(group: string): Followed<readonly Sku[]> {
  const { client } = useShop();
  const followed = useFollowed(`skus ${group}`, async function* (signal) {
    for await (const skus of client.followSkus(group, { signal, retryForMs: Infinity })) {
      latest.set(group, skus);
      yield skus;
    }
  });
  const known = followed.value ?? latest.get(group);
  return known ? { ...followed, value: known } : followed;
}
