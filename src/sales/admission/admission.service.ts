import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { faultPoint } from '../../common/fault-point.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { advance } from './admission.js';
import { AdmissionRepository } from './admission.repository.js';

/** Calls the next of the queue. Any instance may do it at any time: what is stored decides what is due. */
@Injectable()
export class AdmissionService {
  private readonly waits: Histogram;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly admissions: AdmissionRepository,
    metrics: Metrics,
  ) {
    this.waits = metrics.histogram(
      'sale_admission_wait_seconds',
      'From joining the queue, or its start, to being called',
    );
  }

  async round(saleId: string): Promise<void> {
    const waits = await this.transactions.run((tx) => this.runRound(tx, saleId));
    await faultPoint('after-commit:sale-round');
    for (const seconds of waits) this.waits.observe(seconds);
  }

  private async runRound(tx: Tx, saleId: string): Promise<readonly number[]> {
    const sale = await this.admissions.claim(tx, saleId);
    if (!sale || sale.startsAt > sale.now) return [];
    if (!sale.drawnAt) this.admissions.draw(tx, saleId);
    const census = await this.admissions.census(tx, sale);
    const step = census.stock === 0 ? { granted: 0, advancedAt: sale.now } : advance(sale, census.active, sale.now);
    const waits = step.granted === 0 ? [] : await this.admissions.admit(tx, sale, step.granted);
    this.admissions.conclude(tx, saleId, step, census);
    await faultPoint('before-commit:sale-round');
    return waits;
  }
}
