import type { ApiClient } from '../setup/api-client.js';
import { newGiftCard } from '../setup/balances.js';
import type { Random } from './random.js';

/** Coupons that run out, that everybody may have twice, and that never end. */
const COUPONS: Readonly<Record<string, object>> = {
  'CHAOS-FEW': { percentOff: 10, maxRedemptions: 40 },
  'CHAOS-TWICE': { amountOff: 150, currency: 'EUR', maxPerCustomer: 2 },
  'CHAOS-ALWAYS': { percentOff: 7.5, minimumAmount: 1_000 },
};
const CODES = Object.keys(COUPONS);
const GIFT_CARDS = 6;
const GIFT_CARD_AMOUNT = 15_000;

/** What all buyers pay with, beside their cards: few enough that they meet. */
export class Purse {
  private constructor(private readonly cards: readonly { readonly accountId: string; readonly code: string }[]) {}

  static async fill(api: ApiClient): Promise<Purse> {
    for (const [code, rules] of Object.entries(COUPONS)) {
      const { status, body } = await api.put(`/v1/coupons/${code}`, rules);
      if (status !== 201) throw new Error(`PUT ${code}: ${status} ${JSON.stringify(body)}`);
    }
    const cards = Array.from({ length: GIFT_CARDS }, () => newGiftCard(api, GIFT_CARD_AMOUNT));
    return new Purse(await Promise.all(cards));
  }

  coupons(random: Random): { coupons?: string[] } {
    return random.chance(0.3) ? { coupons: random.shuffled(CODES).slice(0, random.chance(0.2) ? 2 : 1) } : {};
  }

  /** Sometimes only authorised, and sometimes without a card for the rest. */
  payment(random: Random, method: string): { method?: string; capture?: string; credit?: object[] } {
    const card = random.chance(0.3) ? { method, capture: 'manual' } : { method };
    if (!random.chance(0.3)) return card;
    const count = random.chance(0.3) ? 2 : 1;
    const credit = random
      .shuffled(this.cards)
      .slice(0, count)
      .map(({ code: giftCardCode }) => ({ giftCardCode }));
    return random.chance(0.2) ? { credit } : { ...card, credit };
  }

  account(random: Random): string {
    return random.pick(this.cards).accountId;
  }
}
