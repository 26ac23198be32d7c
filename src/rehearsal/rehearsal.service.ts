import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { Availability } from '../inventory/sku/availability.service.js';
import { DemoCatalogue } from '../inventory/sku/demo-catalogue.js';
import { SkuCache } from '../inventory/sku/sku-cache.js';
import { ReservationExpiryService } from '../inventory/reservation/reservation-expiry.service.js';
import { ReservationLifecycleRepository } from '../inventory/reservation/reservation-lifecycle.repository.js';
import { type ReservationResponse, toReservationResponse } from '../inventory/reservation/reservation.dto.js';
import { ReservationNotFoundError } from '../inventory/reservation/reservation.errors.js';
import { NO_FAULTS } from '../payment/gateway/sandbox/sandbox-faults.js';
import { SandboxSettings } from '../payment/gateway/sandbox/sandbox-settings.service.js';
import { OpenSales } from '../sales/open-sales.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { RehearsalRepository } from './rehearsal.repository.js';

/** The catalogue as a new service has it. A cached price must not outlive its SKU: versions begin again at 1. */
@Injectable()
export class FreshCatalogue {
  constructor(
    private readonly cache: SkuCache,
    private readonly availability: Availability,
    private readonly sales: OpenSales,
    private readonly catalogue: DemoCatalogue,
  ) {}

  async restore(): Promise<void> {
    this.cache.clear();
    await this.catalogue.seed();
    this.availability.clear();
    await this.sales.refresh();
  }
}

@Injectable()
export class HoldSweep {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lifecycle: ReservationLifecycleRepository,
    private readonly expiry: ReservationExpiryService,
  ) {}

  /** Frees what is due, as the clean-up does, and answers the hold as it is then. */
  async sweep(id: string): Promise<ReservationResponse | undefined> {
    await this.expiry.expireBatch();
    const found = await this.lifecycle.find(this.transactions, id);
    return found && toReservationResponse(found);
  }
}

/** What tests of a shop need and no shop may have: an empty service, and holds that end at once. */
@Injectable()
export class RehearsalService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly rehearsals: RehearsalRepository,
    private readonly catalogue: FreshCatalogue,
    private readonly settings: SandboxSettings,
    private readonly holds: HoldSweep,
  ) {}

  /** As after the first start. What is under way loses its rows, and stops at its next write. */
  async reset(): Promise<{ tables: number; ms: number }> {
    const startedAt = performance.now();
    const tables = await this.rehearsals.tables(this.transactions);
    await this.transactions.run((tx) => this.rehearsals.empty(tx, tables));
    await this.settings.setFaults(NO_FAULTS);
    await this.catalogue.restore();
    return { tables: tables.length, ms: Math.round(performance.now() - startedAt) };
  }

  /** A hold that a checkout is buying right now keeps its stock until that has ended. */
  async expire(id: string): Promise<ReservationResponse> {
    const isEnded = await this.transactions.run((tx) => this.rehearsals.endHold(tx, id));
    const found = await this.holds.sweep(id);
    if (!found) throw new ReservationNotFoundError(id);
    if (!isEnded) throw new DomainError('INVALID_STATE', `The reservation is ${found.state}`, { state: found.state });
    return found;
  }
}
