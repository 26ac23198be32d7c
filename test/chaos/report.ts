import type pg from 'pg';
import type { Violation } from './checks.js';
import type { InjectionCounts } from './injector.js';
import type { ClientLedger } from './ledger.js';

interface Outcome {
  readonly options: { readonly minutes: number; readonly seed: number };
  readonly ledger: ClientLedger;
  readonly counts: InjectionCounts;
  readonly stuck: number;
  readonly violations: readonly Violation[];
}

const SHOWN_PER_CHECK = 5;

export async function printReport(client: pg.Client, outcome: Outcome): Promise<void> {
  const { ledger, counts, violations, stuck } = outcome;
  const lines = ['', `Injected (seed ${outcome.options.seed}, ${outcome.options.minutes} min)`];
  for (const kind of [...new Set([...counts.done.keys(), ...counts.skipped.keys()])].sort()) {
    const count = counts.done.get(kind) ?? 0;
    const skipped = counts.skipped.get(kind) ?? 0;
    lines.push(`  ${String(count).padStart(5)} ${kind}${skipped > 0 ? `, and ${skipped} skipped (target busy)` : ''}`);
  }
  lines.push('Answers');
  for (const [what, count] of tally(ledger.commands.map(labelOf))) lines.push(`  ${String(count).padStart(5)} ${what}`);
  const troubles = ledger.commands.flatMap(({ troubles }) =>
    Object.entries(troubles).flatMap(([what, count]) => Array<string>(count).fill(what)),
  );
  lines.push('On the way there (each answered by a retry under the same key)');
  for (const [what, count] of tally(troubles)) lines.push(`  ${String(count).padStart(5)} ${what}`);
  lines.push('Books');
  for (const [what, count] of await booksOf(client)) lines.push(`  ${String(count).padStart(5)} ${what}`);
  lines.push(`  ${String(stuck).padStart(5)} times the operator attended to a STUCK saga`);
  lines.push(violations.length === 0 ? '\n0 violations' : `\n${violations.length} VIOLATIONS`);
  for (const [check, count] of tally(violations.map((violation) => violation.check))) {
    lines.push(`  ${check}: ${count}`);
    const shown = violations.filter((violation) => violation.check === check).slice(0, SHOWN_PER_CHECK);
    for (const { detail } of shown) lines.push(`    ${JSON.stringify(detail)}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function labelOf({ kind, finals }: ClientLedger['commands'][number]): string {
  const [final] = finals;
  return `${kind}: ${final ? `${final.status} ${final.code ?? ''}`.trim() : 'no final answer'}`;
}

async function booksOf(client: pg.Client): Promise<(readonly [string, number])[]> {
  const { rows } = await client.query<{ what: string; count: number }>(`
    SELECT 'orders ' || state AS what, count(*)::int AS count FROM orders GROUP BY 1
    UNION ALL SELECT 'payments ' || state, count(*)::int FROM payments GROUP BY 1
    UNION ALL SELECT 'sagas ' || name || ' ' || state, count(*)::int FROM sagas GROUP BY 1
    UNION ALL SELECT 'sagas that changed their owner', count(*)::int FROM sagas WHERE epoch > 1
    UNION ALL SELECT 'provider charges ' || state, count(*)::int FROM sandbox.charges GROUP BY 1
    UNION ALL SELECT 'provider charges that were processing', count(*)::int FROM sandbox.charges WHERE method = 'pm_sandbox_processing'
    UNION ALL SELECT 'provider keys forgotten', count(*)::int FROM sandbox.charges WHERE forgotten_key IS NOT NULL
    UNION ALL SELECT 'refunds ' || state, count(*)::int FROM refunds GROUP BY 1
    UNION ALL SELECT 'refunds taken back after they had settled', coalesce(sum(late_failures), 0)::int FROM refunds
    ORDER BY 1`);
  return rows.map(({ what, count }) => [what, count] as const);
}

function tally(items: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
