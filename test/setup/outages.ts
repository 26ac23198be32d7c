import { randomUUID } from 'node:crypto';
import type { ApiClient } from './api-client.js';
import { eventually } from './eventually.js';
import { checkOut } from './shop.js';

const admin = { key: 'admin' } as const;

/** What the sandbox does wrong from now on; nothing, without an argument. */
export async function setFaults(api: ApiClient, faults: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { status, body } = await api.put('/v1/sandbox/faults', faults);
  if (status !== 200) throw new Error(`faults: ${status} ${JSON.stringify(body)}`);
}

export interface StuckCancellation {
  readonly orderId: string;
  readonly sagaId: string;
}

/** An order whose cancellation is stuck, because the provider pays nothing back. With SAGA_BACKOFF_FACTOR it takes no time. */
export async function stuckCancellation(api: ApiClient, sku: string, quantity = 1): Promise<StuckCancellation> {
  await setFaults(api, { refundErrorRate: 1 });
  const { body } = await checkOut(api, sku, 'pm_card_visa', { quantity });
  const orderId = body.id as string;
  await api.post(`/v1/orders/${orderId}/cancel`, { reason: 'a test' }, { ...admin, idempotencyKey: randomUUID() });
  return eventually(`the cancellation of ${orderId} is stuck`, async () => {
    const { items } = (await api.get(`/v1/sagas?state=STUCK&subject=${orderId}`, admin)).body;
    return items.length > 0 && { orderId, sagaId: items[0].id as string };
  });
}
