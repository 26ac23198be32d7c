import type { ApiResponse } from '../setup/api-client.js';
import type { AppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { basket } from '../setup/shop.js';

/** What customers and operators have begun with the release before, and go on with after the upgrade. */
export class Continuity {
  private constructor(
    private readonly held: ApiResponse,
    private readonly authenticating: ApiResponse,
    private readonly cancelled: ApiResponse,
    private readonly refunded: ApiResponse,
  ) {}

  static async begin({ api }: AppProcess, sku: string): Promise<Continuity> {
    const lines = [{ sku, quantity: 1 }];
    const held = await api.post('/v1/reservations', { currency: 'EUR', lines });
    const payment = { method: 'pm_card_authenticationRequired' };
    const authenticating = await api.post('/v1/checkouts', basket(sku, { payment }));
    const [cancelled, refunded] = [
      await api.post('/v1/checkouts', basket(sku)),
      await api.post('/v1/checkouts', basket(sku)),
    ];
    expectStatus([held, 201], [authenticating, 202], [cancelled, 201], [refunded, 201]);
    return new Continuity(held, authenticating, cancelled, refunded);
  }

  async goOn({ api, url }: AppProcess): Promise<void> {
    const bought = await api.post(
      '/v1/checkouts',
      { currency: 'EUR', reservationId: this.held.body.id, payment: { method: 'pm_card_visa' } },
      { headers: { 'x-access-token': this.held.body.accessToken } },
    );
    const approved = await fetch(approvalOf(this.authenticating, url), { method: 'POST' });
    const admin = { key: 'admin' } as const;
    const cancelled = await api.post(`/v1/orders/${this.cancelled.body.id}/cancel`, {}, admin);
    const refunded = await api.post(
      `/v1/orders/${this.refunded.body.id}/refunds`,
      { amount: 1, reason: 'scratched' },
      admin,
    );
    expectStatus([bought, 201], [approved, 200], [cancelled, 200], [refunded, 201]);
    await eventually('the authenticated order', async () => {
      const { body } = await api.get(`/v1/orders/${this.authenticating.body.id}`, admin);
      return body.state === 'CONFIRMED' || undefined;
    });
  }
}

/** The page of the provider, which runs inside whichever instance there is. */
function approvalOf({ body }: ApiResponse, url: string): string {
  const page = new URL(body.nextAction.url as string);
  return `${url}${page.pathname}/approve`;
}

function expectStatus(
  ...pairs: readonly (readonly [{ readonly status: number; readonly body?: unknown }, number])[]
): void {
  for (const [{ status, body }, wanted] of pairs)
    if (status !== wanted) throw new Error(`${wanted} wanted, got ${status} ${JSON.stringify(body)}`);
}
