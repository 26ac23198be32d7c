import { Injectable } from '@nestjs/common';
import { DataSource, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { DatabaseAvailability } from './database-availability.js';

/**
 * TypeORM's repositories, for what is read or written one row or one page at a time and rarely: endpoints, deliveries,
 * lists for operators. Paths that every checkout takes use SQL over lists, in the round trips of a Tx.
 */
@Injectable()
export class Entities {
  constructor(
    private readonly dataSource: DataSource,
    private readonly availability: DatabaseAvailability,
  ) {}

  /** Refuses at once while the database is known to be away, as transactions do. */
  of<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    this.availability.assertAvailable();
    return this.dataSource.getRepository(entity);
  }
}
