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

/** In order. A list rather than a glob: every loader (Node, Jest, tsx) and the type checker sees the same migrations. */
export const migrations = [
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
];
