/**
 * The order in which Jest takes the files: those that take longest first, so that none of them is left for the end, when
 * the other workers have nothing to do. Jest itself would go by size, and these are small.
 */
const LONGEST = [
  'test/e2e/crash.spec.ts',
  'test/e2e/start.spec.ts',
  'test/e2e/pause.spec.ts',
  'test/lock/zookeeper.conformance.spec.ts',
  'test/lock/redis.conformance.spec.ts',
  'test/lock/postgres.conformance.spec.ts',
  'test/lock/etcd.conformance.spec.ts',
  'test/lock/redlock.conformance.spec.ts',
  'test/e2e/silence.spec.ts',
  'test/integration/payment/charged-once.spec.ts',
  'test/security/fuzz.spec.ts',
  'test/e2e/event-delivery.spec.ts',
  'test/lock/quorum.spec.ts',
  'test/e2e/takeover.spec.ts',
  'test/e2e/aged-crash.spec.ts',
  'test/stream/events.spec.ts',
  'test/api/generators.spec.ts',
  'test/guide/guide.spec.ts',
  'test/e2e/cancel-pending.spec.ts',
  'test/upgrade/upgrade.spec.ts',
  'test/e2e/blocked-sku.spec.ts',
  'test/integration/payment/reconciliation.spec.ts',
  'test/integration/inventory/import.spec.ts',
  'test/e2e/bulk-runs.spec.ts',
  'test/api/openapi.spec.ts',
  'test/integration/events/redis-user.spec.ts',
  'test/e2e/rolling-restart.spec.ts',
  'test/integration/database/silent-server.spec.ts',
  'test/e2e/balances.spec.ts',
  'test/integration/idle.spec.ts',
  'test/stream/kills.spec.ts',
  'test/integration/sales/admission.spec.ts',
  'test/integration/payment/late-payment.spec.ts',
  'test/client/follow-skus.spec.ts',
  'test/e2e/concurrency.spec.ts',
  'test/integration/card-testing.spec.ts',
  'test/integration/events/webhooks.spec.ts',
  'test/stream/commands.spec.ts',
  'test/browser/customer.spec.ts',
];

function rank({ path }) {
  const index = LONGEST.findIndex((name) => path.endsWith(name));
  return index < 0 ? LONGEST.length : index;
}

export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {
    // the order does not depend on earlier runs
  }
}
