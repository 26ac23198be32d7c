import type { MigrationInterface } from 'typeorm';
import { InitialSchema1763100000000 } from './1763100000000-initial-schema.js';
import { LockLeases1763200000000 } from './1763200000000-lock-leases.js';
import { SandboxLedger1763200100000 } from './1763200100000-sandbox-ledger.js';
import { OutboxBySubject1763290000000 } from './1763290000000-outbox-by-subject.js';
import { WebhookEndpoints1763350000000 } from './1763350000000-webhook-endpoints.js';
import { StrayCharges1763300000000 } from './1763300000000-stray-charges.js';
import { ReservationCustomer1763400000000 } from './1763400000000-reservation-customer.js';
import { LockHeirs1763450000000 } from './1763450000000-lock-heirs.js';
import { FewerRoundTrips1763500000000 } from './1763500000000-fewer-round-trips.js';
import { WebhookSecrets1763560000000 } from './1763560000000-webhook-secrets.js';
import { CheaperRows1763600000000 } from './1763600000000-cheaper-rows.js';
import { PaymentsInDoubt1763700000000 } from './1763700000000-payments-in-doubt.js';
import { KeysOfClients1763710000000 } from './1763710000000-keys-of-clients.js';
import { KeysOfClientsIndexes1763710100000 } from './1763710100000-keys-of-clients-indexes.js';
import { SchemaCompatibility1763720000000 } from './1763720000000-schema-compatibility.js';
import { UpdatesOnThePage1763721000000 } from './1763721000000-updates-on-the-page.js';
import { SagaWatch1763721100000 } from './1763721100000-saga-watch.js';
import { ReservationIndexes1763722000000 } from './1763722000000-reservation-indexes.js';
import { WithoutReplacedIndexes1763729000000 } from './1763729000000-without-replaced-indexes.js';
import { Instances1763730000000 } from './1763730000000-instances.js';
import { Streams1763750000000 } from './1763750000000-streams.js';
import { CustomerSide1763740000000 } from './1763740000000-customer-side.js';
import { OrderSearch1763741000000 } from './1763741000000-order-search.js';
import { SeatPlaces1763760000000 } from './1763760000000-seat-places.js';
import { Sales1763761000000 } from './1763761000000-sales.js';
import { Erasures1763770000000 } from './1763770000000-erasures.js';
import { Balances1763780000000 } from './1763780000000-balances.js';
import { Operations1763850000000 } from './1763850000000-operations.js';
import { OperationsIndexes1763851000000 } from './1763851000000-operations-indexes.js';
import { Traces1763860000000 } from './1763860000000-traces.js';
import { Authorizations1763870000000 } from './1763870000000-authorizations.js';
import { AuthorizationIndexes1763871000000 } from './1763871000000-authorization-indexes.js';

/**
 * A contraction drops what only earlier releases use, so it waits until none of them runs: for `npm run
 * migration:contract`, or for the next release, in which it is an ordinary migration. An empty database gets it at
 * once.
 */
export type MigrationClass = new () => MigrationInterface & { readonly isContraction?: boolean };

/** In order. A list rather than a glob: every loader (Node, Jest, tsx) and the type checker sees the same migrations. */
export const migrations: readonly MigrationClass[] = [
  InitialSchema1763100000000,
  LockLeases1763200000000,
  SandboxLedger1763200100000,
  OutboxBySubject1763290000000,
  StrayCharges1763300000000,
  WebhookEndpoints1763350000000,
  ReservationCustomer1763400000000,
  LockHeirs1763450000000,
  FewerRoundTrips1763500000000,
  WebhookSecrets1763560000000,
  CheaperRows1763600000000,
  PaymentsInDoubt1763700000000,
  KeysOfClients1763710000000,
  KeysOfClientsIndexes1763710100000,
  SchemaCompatibility1763720000000,
  UpdatesOnThePage1763721000000,
  SagaWatch1763721100000,
  ReservationIndexes1763722000000,
  WithoutReplacedIndexes1763729000000,
  Instances1763730000000,
  Streams1763750000000,
  CustomerSide1763740000000,
  OrderSearch1763741000000,
  SeatPlaces1763760000000,
  Sales1763761000000,
  Erasures1763770000000,
  Balances1763780000000,
  Operations1763850000000,
  OperationsIndexes1763851000000,
  Traces1763860000000,
  Authorizations1763870000000,
  AuthorizationIndexes1763871000000,
];
