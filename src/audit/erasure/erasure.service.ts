import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { customerKeyOf } from '../../balance/allowance.js';
import { normaliseEmail } from '../../common/email.js';
import { newId } from '../../common/id.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { EraseBody, ErasureView } from './erasure.dto.js';
import { ErasureRepository } from './erasure.repository.js';

/** A customer has a handful of orders, a reseller thousands: no transaction holds more rows than this. */
const BATCH = 500;

/**
 * Makes a customer's orders nobody's. Amounts, lines, payments and refunds stay: they are the books. It may be called again, and
 * must be where orders were still under way. A crash between two batches leaves the rest to the next call; the record is
 * written last, so that it never claims more than was done.
 */
@Injectable()
export class ErasureService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly erasures: ErasureRepository,
    private readonly trail: AuditTrail,
  ) {}

  async erase(customerId: string, { reason, email }: EraseBody, actor: string): Promise<ErasureView> {
    const theirs = await this.erasures.find(this.transactions, customerId, email);
    const ended = theirs.filter(({ isOpen }) => !isOpen);
    for (let at = 0; at < ended.length; at += BATCH)
      await this.transactions.run((tx) => {
        this.erasures.eraseOrders(tx, ended.slice(at, at + BATCH));
        return Promise.resolve();
      });
    const id = newId();
    const customerHash = createHash('sha256').update(customerId).digest('hex');
    const customers = [customerKeyOf({ id: customerId }), customerKeyOf({ email })].filter((key) => key !== undefined);
    const { reservations, openAccounts } = await this.transactions.run(async (tx) => {
      const count = await this.erasures.eraseReservations(tx, customerId);
      this.erasures.eraseTickets(tx, customerId, email === undefined ? null : normaliseEmail(email));
      await this.erasures.eraseAllowances(tx, customers);
      const accounts = await this.erasures.eraseAccounts(tx, customerId);
      this.erasures.record(tx, { id, customerHash, actor, reason, orders: ended.length, reservations: count });
      // The trail must not bring back whom it was about: the record of the erasure has a hash.
      const detail = { orders: ended.length, reservations: count };
      this.trail.append(tx, { actor, reason }, { verb: 'erase', subjectKind: 'customer', subject: id, detail });
      return { reservations: count, openAccounts: accounts };
    });
    const openOrders = theirs.length - ended.length;
    return { id, orders: ended.length, reservations, openOrders, openAccounts, erasedAt: new Date().toISOString() };
  }
}
