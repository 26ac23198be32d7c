import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installNode } from '../scripts/install-node.mjs';
import { plan } from './load.js';
import { type Measurement, Meter } from './measure.js';
import { startBacking } from './processes.js';
import { table } from './report.js';
import { medianOf, ratioOf, spreadText, takeTurns } from './rounds.js';
import { SPREAD_SKUS, startOurs, type System } from './systems.js';

const TARGET = path.join(import.meta.dirname, 'results/nodes.md');

interface Variant {
  readonly name: string;
  readonly system: System;
}

/** What a benchmark starts runs on the Node that it runs on itself, unless told otherwise. */
async function onNode<T>(binary: string, start: () => Promise<T>): Promise<T> {
  const own = process.execPath;
  process.execPath = binary;
  try {
    return await start();
  } finally {
    process.execPath = own;
  }
}

function rowOf({ name }: Variant, rounds: readonly Measurement[], first: readonly Measurement[]): string[] {
  const of = (pick: (one: Measurement) => number, digits: number) => medianOf(rounds.map(pick)).toFixed(digits);
  const ratio = (pick: (one: Measurement) => number) => spreadText(ratioOf(rounds.map(pick), first.map(pick)));
  return [
    name,
    of(({ perSecond }) => perSecond, 0),
    ratio(({ perSecond }) => perSecond),
    of(({ p50 }) => p50, 1),
    of(({ p99 }) => p99, 1),
    of(({ cpu }) => cpu.node, 3),
    ratio(({ cpu }) => cpu.node),
  ];
}

/** `npm run bench:nodes -- --nodes 22,24`: the same build on other versions of Node, in turns with this one. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '22,24' },
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '9' },
    },
  });
  const binaries = [process.execPath, ...values.nodes.split(',').map((one) => path.join(installNode(one), 'node'))];
  const backing = await startBacking();
  const meter = new Meter({ seconds: Number(values.seconds), warmupSeconds: 1, countSeconds: 0 });
  const variants: Variant[] = [];
  try {
    for (const [index, binary] of binaries.entries()) {
      const name = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
      const system = await onNode(binary, () => startOurs(backing, `node${index}`, []));
      variants.push({ name, system });
    }
    const measure = async ({ name, system }: Variant, round: number): Promise<Measurement> => {
      const load = plan(system.server!.port, { connections: Number(values.connections), skus: SPREAD_SKUS });
      const measured = await meter.http(system, load);
      process.stdout.write(`round ${round}: ${name} ${measured.perSecond.toFixed(0)}/s\n`);
      return measured;
    };
    await takeTurns(variants, 1, measure); // warms up
    const results = await takeTurns(variants, Number(values.rounds), measure);
    const rows = variants.map((variant, index) => rowOf(variant, results[index]!, results[0]!));
    const head = ['Node', 'checkouts/s', `of ${variants[0]!.name}`, 'p50 ms', 'p99 ms', 'Node ms', 'of it'];
    const how = `${values.connections} connections, ${values.rounds} rounds of ${values.seconds} s in turns; medians, and ratios round by round (lowest–highest). The load generator runs on ${variants[0]!.name}.`;
    const text = `# The same build on other versions of Node\n\n\`npm run bench:nodes\`: ${how}\n\n${table(head, rows)}\n`;
    process.stdout.write(`\n${text}`);
    writeFileSync(TARGET, text);
  } finally {
    for (const { system } of variants) await system.stop();
    await backing.stop();
  }
}

await main();
