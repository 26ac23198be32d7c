/** `localStorage`, `sessionStorage`, or anything with their methods, asynchronous if need be. */
export interface BuyerStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): void | Promise<void>;
  removeItem(name: string): void | Promise<void>;
}

const PREFIX = 'checkout-saga';

/** A request whose outcome is not known, or that succeeded: enough to send it again. */
export interface KeptIntent {
  readonly key: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly at: number;
}

/** What the client keeps for one buyer. */
export class Keep {
  constructor(readonly storage: BuyerStorage) {}

  async intent(name: string): Promise<KeptIntent | undefined> {
    const text = await this.storage.getItem(`${PREFIX}:intent:${name}`);
    return text === null ? undefined : (JSON.parse(text) as KeptIntent);
  }

  async keepIntent(name: string, intent: KeptIntent): Promise<void> {
    await this.storage.setItem(`${PREFIX}:intent:${name}`, JSON.stringify(intent));
  }

  async forgetIntent(name: string): Promise<void> {
    await this.storage.removeItem(`${PREFIX}:intent:${name}`);
  }

  /** The access token of an order or a reservation. */
  async token(id: string): Promise<string | undefined> {
    return (await this.storage.getItem(`${PREFIX}:token:${id}`)) ?? undefined;
  }

  /** Answers and problems bring access tokens: of the order, and of the hold that a declined checkout leaves. */
  async learn(answer: unknown): Promise<void> {
    if (typeof answer !== 'object' || answer === null) return;
    const { id, orderId, accessToken, reservation } = answer as Record<string, unknown>;
    const owner = id ?? orderId;
    if (typeof owner === 'string' && typeof accessToken === 'string') {
      await this.storage.setItem(`${PREFIX}:token:${owner}`, accessToken);
    }
    await this.learn(reservation);
  }
}
