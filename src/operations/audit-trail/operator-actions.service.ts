import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { OperatorAction } from '../../platform/audit-trail/operator-action.entity.js';
import { Entities } from '../../platform/postgres/entities.js';
import { type ActionListQuery, type ActionPage, toActionView } from './operator-action.dto.js';

/** The audit trail, newest first. */
@Injectable()
export class OperatorActionsService {
  constructor(private readonly entities: Entities) {}

  async list({ limit, cursor, ...criteria }: ActionListQuery): Promise<ActionPage> {
    const rows = await this.entities.of(OperatorAction).find({
      where: { ...criteria, ...(cursor !== undefined && { id: LessThan(cursor) }) } as object,
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const items = shown.map((row) => ({ ...toActionView(row), orderId: row.orderId }));
    return { items, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }
}
