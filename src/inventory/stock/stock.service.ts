import { Injectable } from '@nestjs/common';
import { BalanceLocks } from '../../balance/balance-locks.service.js';
import { DomainError } from '../../common/domain-error.js';
import { STOCK_LOCK, stockKey } from '../../lock/lock-keys.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Answer, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../../platform/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { MAX_STOCK } from '../line.dto.js';
import { AdjustmentInput, toMovementResponse } from '../sku/sku.dto.js';
import { SkuNotFoundError } from '../sku/sku.errors.js';
import { StockRepository, StockRow } from './stock.repository.js';

@Injectable()
export class StockService {
  constructor(
    private readonly locks: BalanceLocks,
    private readonly idempotency: IdempotencyService,
    private readonly stock: StockRepository,
    private readonly trail: AuditTrail,
  ) {}

  /** Under the SKU's lock, so that an adjustment queues with the holds instead of racing them. */
  adjust(request: IdempotentRequest, sku: string, input: AdjustmentInput, actor: string): Promise<Answer> {
    return this.locks.run([stockKey(sku)], STOCK_LOCK, (token) =>
      this.idempotency.once(request, (tx) => this.adjustLocked(tx, sku, { ...input, actor }, token)),
    );
  }

  private async adjustLocked(
    tx: Tx,
    sku: string,
    change: AdjustmentInput & { actor: string },
    token: bigint,
  ): Promise<StoredResponse> {
    const row = (await this.stock.lock(tx, [sku], token)).get(sku);
    if (!row) throw new SkuNotFoundError([sku]);
    assertPossible(row, change.delta);
    const movement = await this.stock.adjust(tx, row, change, token);
    const detail = { delta: change.delta, onHand: movement.onHandAfter };
    this.trail.append(tx, change, { verb: 'adjust', subjectKind: 'sku', subject: sku, detail });
    return { status: 201, body: toMovementResponse(movement, row.reserved) };
  }
}

function assertPossible({ sku, onHand, reserved }: StockRow, delta: number): void {
  if (onHand + delta < reserved) {
    const detail = `${sku} has ${onHand} units, of which ${reserved} are reserved: it cannot change by ${delta}`;
    throw new DomainError('STOCK_BELOW_RESERVED', detail, { sku, onHand, reserved, delta });
  }
  if (onHand + delta > MAX_STOCK) {
    const message = `at most ${MAX_STOCK - onHand}: the stock of a SKU is at most ${MAX_STOCK}`;
    throw new DomainError('VALIDATION_FAILED', `delta: ${message}`, { errors: [{ path: 'delta', message }] });
  }
}
