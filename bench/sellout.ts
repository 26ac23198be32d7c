import { plan } from './load.js';
import { Meter } from './measure.js';
import type { SelloutResult } from './report.js';
import type { System } from './systems.js';

const UNITS = 50;

/** Everybody wants the same 50 units at the same moment, one unit each. */
export async function runSellouts(
  meter: Meter,
  systems: readonly System[],
  crowds: readonly number[],
): Promise<SelloutResult[]> {
  const results: SelloutResult[] = [];
  for (const buyers of crowds) {
    for (const system of systems) results.push(await sellOut(meter, system, buyers));
  }
  return results;
}

async function sellOut(meter: Meter, system: System, buyers: number): Promise<SelloutResult> {
  const sku = `sellout-${buyers}`;
  await system.addSku(sku, UNITS);
  const before = await system.confirmedOrders();
  const load = plan(system.server!.port, { connections: buyers, skus: [sku], linesPerOrder: 1 });
  const { phase, report } = await meter.burst(load);
  const sold = (await system.confirmedOrders()) - before;
  const refused = report.statuses['409'] ?? 0;
  const confirmed = report.statuses['201'] ?? 0;
  const remaining = await system.onHandOf(sku);
  const violations = await system.violations();
  if (sold !== confirmed) violations.push(`sell-out of ${system.database}: ${sold} orders, ${confirmed} answers 201`);
  const result = {
    system: system.database,
    buyers,
    units: UNITS,
    sold,
    refused,
    falselyRefused: Math.min(refused, Math.max(0, UNITS - sold)),
    oversold: Math.max(0, sold - UNITS),
    remaining,
    errors: buyers - confirmed - refused,
    seconds: phase.seconds,
    p50: phase.p50,
    p99: phase.p99,
    violations,
  };
  process.stdout.write(
    `      sell-out ${result.system}, ${buyers} buyers: ${sold} sold, ${refused} refused, ${result.falselyRefused} falsely, ${result.oversold} oversold, ${result.errors} errors, ${phase.seconds.toFixed(2)} s\n`,
  );
  return result;
}
