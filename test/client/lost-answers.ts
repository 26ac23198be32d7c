import {
  createStorefront,
  type BuyerStorage,
  ConnectionError,
  ProblemError,
} from '../../packages/client/src/public-api.js';
import type { ApiClient } from '../setup/api-client.js';
import { KEYS } from '../setup/app-process.js';
import { newSku } from '../setup/shop.js';
import { startCuttingProxy } from './cutting-proxy.js';

const METHODS = ['pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined', 'pm_sandbox_error'];
const AT_ONCE = 4;
/** A request and its answer are about 3,500 bytes: a connection breaks in its first, second or third call. */
const MAX_BYTES = 9_000;
const RELOADS = 20;

export function memoryStorage(): BuyerStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

export interface LostAnswers {
  readonly cuts: number;
  readonly reloads: number;
  readonly confirmed: number;
  readonly refused: number;
  /** Intents that did not end as exactly one order in the state that the buyer was told. */
  readonly wrong: readonly string[];
}

/**
 * Buyers whose connections break after a random number of bytes. A page that has waited too long is reloaded: another
 * client, with the storage of the one before.
 */
export async function buyOverBrokenWires(
  api: ApiClient,
  ordersOf: (customerId: string) => Promise<readonly { id: string; state: string }[]>,
  minCuts: number,
  random: () => number = Math.random,
): Promise<LostAnswers> {
  const proxy = await startCuttingProxy(api.url, () => Math.ceil(random() * MAX_BYTES));
  const sku = await newSku(api, 100_000);
  const told = { reloads: 0, confirmed: 0, refused: 0, wrong: [] as string[] };
  let next = 0;

  const buy = async (name: string, method: string): Promise<void> => {
    const storage = memoryStorage();
    const body = { customer: { id: name }, currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method } };
    for (let page = 0; page < RELOADS; page += 1) {
      const shop = createStorefront({ url: proxy.url, apiKey: KEYS.STOREFRONT_API_KEY, storage, retryForMs: 1_500 });
      const answer = await shop.checkOut(body, { intent: name }).catch((error: unknown) => error);
      if (answer instanceof ConnectionError || isBusy(answer)) {
        told.reloads += 1;
        continue;
      }
      const isRefused = answer instanceof ProblemError;
      if (answer instanceof Error && !isRefused) throw answer;
      told[isRefused ? 'refused' : 'confirmed'] += 1;
      const orders = await ordersOf(name);
      const isRight = orders.length === 1 && orders[0]?.state === (isRefused ? 'REJECTED' : 'CONFIRMED');
      if (!isRight) told.wrong.push(`${name} was told ${JSON.stringify(answer)}, has ${JSON.stringify(orders)}`);
      return;
    }
    told.wrong.push(`${name} never got an answer`);
  };

  const work = async (): Promise<void> => {
    while (proxy.cuts < minCuts) {
      next += 1;
      await buy(`buyer-${next}`, METHODS[next % METHODS.length]!);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { ...told, cuts: proxy.cuts };
  } finally {
    await proxy.close();
  }
}

function isBusy(answer: unknown): boolean {
  return answer instanceof ProblemError && (answer.code === 'IDEMPOTENCY_IN_PROGRESS' || answer.status >= 500);
}
