import type { Tx } from '../../../platform/postgres/tx.js';
import { type CaptureRequest, GatewayRequestError } from '../payment-gateway.js';
import { captureAuthorized, expireAuthorized, voidAuthorized } from './sandbox-authorization.repository.js';
import { SandboxCallbacksJob } from './sandbox-callbacks.job.js';
import { type Charge, lockCharge } from './sandbox-charge.repository.js';
import { SandboxDatabase } from './sandbox-database.js';
import { chargeEvent } from './sandbox-events.js';

/** What becomes of authorised charges in the provider's ledger: captured once, voided, or expired. */
export class SandboxAuthorizations {
  constructor(
    private readonly db: SandboxDatabase,
    private readonly callbacks: SandboxCallbacksJob,
  ) {}

  /** The charge as it is then. A second capture changes nothing, whatever its key. */
  capture(request: CaptureRequest, isAnnounced: boolean): Promise<Charge | undefined> {
    const { transactionId, amount, idempotencyKey } = request;
    return this.change(transactionId, isAnnounced, async (tx, charge) => {
      if (charge.captureKey === idempotencyKey && charge.capturedAmount !== amount)
        throw new GatewayRequestError('the idempotency key was used for another capture');
      if (charge.state !== 'AUTHORIZED') return undefined;
      if (charge.currency !== request.currency || amount <= 0 || amount > charge.amount)
        throw new GatewayRequestError('this much was not authorised');
      return captureAuthorized(tx, transactionId, amount, idempotencyKey);
    });
  }

  /** The charge as it is then. */
  void(id: string, isAnnounced: boolean): Promise<Charge | undefined> {
    return this.change(id, isAnnounced, (tx) => voidAuthorized(tx, id));
  }

  /** Under the charge's lock. An authorisation whose time is over ends first. */
  private async change(
    id: string,
    isAnnounced: boolean,
    work: (tx: Tx, charge: Charge) => Promise<Charge | undefined>,
  ): Promise<Charge | undefined> {
    await this.callbacks.prepare();
    const { charge, hasAnnounced } = await this.db.run(async (tx) => {
      const locked = await lockCharge(tx, id);
      if (!locked) return { charge: undefined, hasAnnounced: false };
      const expired = await expireAuthorized(tx, id);
      const changed = expired ?? (await work(tx, locked));
      const event = changed && (isAnnounced || expired) ? chargeEvent(changed) : undefined;
      if (event) await this.callbacks.enqueue(tx, [event]);
      return { charge: changed ?? locked, hasAnnounced: event !== undefined };
    });
    if (hasAnnounced) this.callbacks.wake();
    return charge;
  }
}
