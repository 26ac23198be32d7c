import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { createContext } from '../app.js';
import { InvariantsService } from '../audit/invariants/invariants.service.js';
import { RECONCILIATION_LOCK, RECONCILIATION_TERMS } from '../audit/reconciliation/reconciliation.job.js';
import { Finding, needsAttention, ReconciliationReport } from '../audit/reconciliation/reconciliation-report.js';
import { ReconciliationService } from '../audit/reconciliation/reconciliation.service.js';
import { messageOf } from '../common/error-message.js';
import { AppConfig, loadConfig } from '../platform/config/app-config.js';
import { withLocalSecrets } from '../platform/config/local-secrets.js';
import { joinDatabase } from '../platform/postgres/open-database.js';
import { LockService } from '../lock/lock.service.js';
import { table } from './table.js';

const USAGE = `Usage: npm run reconcile [-- --hours <n>]

Compares the payment provider's ledger with our payments and orders, and checks every invariant. Wakes checkouts that missed
a callback, pays back charges that no order stands for, pays refunds again that the provider has taken back, and lists the
rest. Looks at everything, or at what was made or has changed in the last n hours.
Ends with 0 if all is well or repaired, 1 if something needs attention, 2 if it could not look.`;

const EXIT = { well: 0, attention: 1, failed: 2 } as const;
const TIMEOUT_MS = 30 * 60_000;
const LOCK = { ...RECONCILIATION_TERMS, waitMs: 60_000 };

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { hours: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  const hours = values.hours === undefined ? undefined : Number(values.hours);
  if (values.help || (hours !== undefined && !(hours > 0))) {
    process.stderr.write(`${USAGE}\n`);
    return values.help ? EXIT.well : EXIT.failed;
  }
  const config = withLocalSecrets(loadConfig(process.env));
  const database = await joinDatabase(config);
  try {
    return await reconcile(config, database.url, new Date(hours === undefined ? 0 : Date.now() - hours * 3_600_000));
  } finally {
    await database.close();
  }
}

/**
 * An ordinary instance without HTTP. Repairs are sagas: if this process ends before one does, another instance finishes
 * it.
 */
async function reconcile(config: AppConfig, url: string, since: Date): Promise<number> {
  const app = await createContext(config, url);
  try {
    const report = await app.get(LockService, { strict: false }).withLock([RECONCILIATION_LOCK], LOCK, (lease) => {
      const signal = AbortSignal.any([lease.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return app.get(ReconciliationService, { strict: false }).run(since, signal);
    });
    const violations = await violationsOf(app.get(InvariantsService, { strict: false }));
    const findings = [...report.findings, ...violations];
    process.stdout.write(render(report, findings));
    return findings.some(needsAttention) ? EXIT.attention : EXIT.well;
  } finally {
    await app.close();
  }
}

async function violationsOf(invariants: InvariantsService): Promise<Finding[]> {
  const checks = await invariants.checkOwn();
  return checks.flatMap(({ name, violations }) =>
    violations.map((violation) => ({
      kind: name,
      orderId: typeof violation['orderId'] === 'string' ? violation['orderId'] : null,
      transactionId: null,
      detail: Object.entries(violation)
        .filter(([member]) => member !== 'orderId')
        .map(([member, value]) => (member === 'problem' ? String(value) : `${member}=${String(value)}`))
        .join(' '),
      result: 'needs attention' as const,
    })),
  );
}

function render(report: ReconciliationReport, findings: readonly Finding[]): string {
  const span = report.since.getTime() === 0 ? 'all time' : `since ${report.since.toISOString()}`;
  const lines = [
    `${report.charges} ${report.charges === 1 ? 'charge' : 'charges'} of ${report.provider} (${span}) compared in ${(report.ms / 1_000).toFixed(1)} s`,
  ];
  if (findings.length === 0) return `${lines[0] ?? ''}: everything agrees, every invariant holds\n`;
  const open = findings.filter(needsAttention).length;
  const rows = findings.map(({ kind, orderId, transactionId, detail, result }) => [
    kind,
    orderId ?? '-',
    transactionId ?? '-',
    result,
    detail,
  ]);
  lines.push('', ...table(['finding', 'order', 'transaction', 'result', 'detail'], rows), '');
  lines.push(`${findings.length} found, ${findings.length - open} repaired, ${open} for you to look at`);
  return `${lines.join('\n')}\n`;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The reconciliation failed: ${messageOf(error)}\n`);
    process.exitCode = EXIT.failed;
  },
);
