import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';

export interface FoundById {
  readonly kind: 'order' | 'saga';
  readonly id: string;
  readonly matchedBy: string;
}

export interface FoundSku {
  readonly sku: string;
  readonly name: string;
  readonly onHand: number;
  readonly reserved: number;
}

export interface FoundSaga {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly subject: string;
  readonly createdAt: Date;
}

/** Any row with this id, as the order or saga that it belongs to. Each is found by a primary key or a unique index. */
const BY_ID = statement(
  'search.by-id',
  `SELECT 'order' AS kind, id, 'order id' AS "matchedBy" FROM orders WHERE id = $1
   UNION ALL SELECT 'saga', id, 'saga id' FROM sagas WHERE id = $1
   UNION ALL SELECT 'order', order_id, 'payment id' FROM payments WHERE id = $1
   UNION ALL SELECT 'order', order_id, 'refund id' FROM refunds WHERE id = $1
   UNION ALL SELECT 'order', order_id, 'reservation id' FROM reservations WHERE id = $1 AND order_id IS NOT NULL`,
);
const SAGAS = statement(
  'search.sagas',
  `SELECT id, name, state, subject, created_at AS "createdAt" FROM sagas WHERE id = ANY($1::uuid[])`,
);
const SKU = statement('search.sku', `SELECT sku, name, on_hand AS "onHand", reserved FROM skus WHERE sku = $1`);

@Injectable()
export class SearchRepository {
  byId(db: Queryable, id: string): Promise<FoundById[]> {
    return db.query<FoundById>(BY_ID, [id]);
  }

  sagas(db: Queryable, ids: readonly string[]): Promise<FoundSaga[]> {
    return db.query<FoundSaga>(SAGAS, [ids]);
  }

  async sku(db: Queryable, sku: string): Promise<FoundSku | undefined> {
    return (await db.query<FoundSku>(SKU, [sku]))[0];
  }
}
