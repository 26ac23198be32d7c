import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { plan } from './load.js';
import { type Measurement, Meter } from './measure.js';
import { cpuMsOf, startBacking, startNode } from './processes.js';
import { table } from './report.js';
import { medianOf, ratioOf, spreadText, takeTurns } from './rounds.js';
import { SPREAD_SKUS, startOurs, type System } from './systems.js';

const TARGET = path.join(import.meta.dirname, 'results/tracing.md');
const HEAD = ['', 'checkouts/s', 'of untraced', 'p50 ms', 'p99 ms', 'Node ms', 'PostgreSQL ms', 'failed'];

interface Variant {
  readonly name: string;
  readonly system: System;
}

function rowOf({ name }: Variant, rounds: readonly Measurement[], untraced: readonly Measurement[]): string[] {
  const of = (pick: (one: Measurement) => number, digits: number) => medianOf(rounds.map(pick)).toFixed(digits);
  const speed = ({ perSecond }: Measurement) => perSecond;
  return [
    name,
    of(speed, 0),
    spreadText(ratioOf(rounds.map(speed), untraced.map(speed))),
    of(({ p50 }) => p50, 1),
    of(({ p99 }) => p99, 1),
    of(({ cpu }) => cpu.node, 3),
    of(({ cpu }) => cpu.postgres, 3),
    String(rounds.reduce((sum, { errors, refused }) => sum + errors + refused, 0)),
  ];
}

/**
 * `npm run bench:tracing`: what tracing costs while it is off, compared with another build (`--before dist/src/main.js` of
 * it), and while it is on, for every trace and for one in a hundred. The variants take turns.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '9' },
    },
  });
  const backing = await startBacking();
  const collector = await startNode([path.join(import.meta.dirname, 'servers/collector.mjs')], {}, '/');
  const seconds = Number(values.seconds);
  const meter = new Meter({ seconds, warmupSeconds: 1, countSeconds: 0 });
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` };
  const few = { ...on, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  const variants: Variant[] = [];
  const add = async (name: string, database: string, main?: string, settings = {}) =>
    void variants.push({ name, system: await startOurs(backing, database, [], main, settings) });
  try {
    if (values.before) await add('the build before', 'before', values.before);
    await add('off', 'traceless');
    await add('on, one trace in a hundred', 'few', undefined, few);
    await add('on, every trace', 'every', undefined, on);
    const measure = async ({ name, system }: Variant, round: number): Promise<Measurement> => {
      const collectorMs = cpuMsOf(collector.pid);
      const load = plan(system.server!.port, { connections: Number(values.connections), skus: SPREAD_SKUS });
      const measured = await meter.http(system, load);
      const collecting = (cpuMsOf(collector.pid) - collectorMs).toFixed(0);
      process.stdout.write(`round ${round}: ${name} ${measured.perSecond.toFixed(0)}/s, collector ${collecting} ms\n`);
      return measured;
    };
    await takeTurns(variants, 1, measure); // warms up
    const results = await takeTurns(variants, Number(values.rounds), measure);
    const untraced = results[variants.findIndex(({ name }) => name === 'off')]!;
    const rows = variants.map((variant, index) => rowOf(variant, results[index]!, untraced));
    const text = `${values.connections} connections, ${values.rounds} rounds of ${seconds} s in turns; medians, and the ratio round by round (lowest–highest). The collector runs on the same cores.\n\n${table(HEAD, rows)}\n`;
    process.stdout.write(`\n${text}`);
    writeFileSync(TARGET, `# What tracing costs\n\n\`npm run bench:tracing\`: ${text}`);
  } finally {
    for (const { system } of variants) await system.stop();
    await collector.stop();
    await backing.stop();
  }
}

await main();
