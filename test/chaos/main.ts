import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { ApiClient } from '../setup/api-client.js';
import { KEYS } from '../setup/app-process.js';
import { Buyer, SKUS } from './buyer.js';
import { checkDatabase, checkInvariants, unrestOf, Violation } from './checks.js';
import { checkClients } from './client-checks.js';
import { Injector } from './injector.js';
import { ClientLedger } from './ledger.js';
import { Operator } from './operator.js';
import { Purse } from './purse.js';
import { Random } from './random.js';
import { printReport } from './report.js';
import { INSTANCES, planFaults } from './schedule.js';
import { Stack } from './stack.js';

const BUYERS = 50;
const STOCK = 400;
/** After the last fault: buyers get their answers, leases and holds run out, recovery and reconciliation do their work. */
const ANSWER_MS = 90_000;
const QUIET_MS = 120_000;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  /** Keep the instances' logs also when all is well. */
  readonly hasLogs: boolean;
}

function parseOptions(argv: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      logs: { type: 'boolean', default: false },
    },
  });
  const options = { minutes: Number(values.minutes), seed: Number(values.seed), hasLogs: values.logs };
  if (!(options.minutes > 0) || !Number.isInteger(options.seed)) throw new Error('--minutes N --seed S, both numbers');
  return options;
}

/** Of one SKU a buyer soon has as many as they may. */
const LIMITED = { index: 5, maxPerCustomer: 4 };

async function stockUp(stack: Stack): Promise<Purse> {
  const [instance] = stack.instances;
  const api = new ApiClient(instance!.url, KEYS);
  for (const [index, sku] of SKUS.entries()) {
    // Some run out early and live on adjustments and cancellations; most do not.
    const onHand = index % 4 === 3 ? 20 : STOCK;
    const limit = index === LIMITED.index ? { maxPerCustomer: LIMITED.maxPerCustomer } : {};
    const goods = { name: sku, unitAmount: 700 + index, currency: 'EUR', onHand, ...limit };
    const answer = await api.put(`/v1/skus/${sku}`, goods);
    if (answer.status !== 201) throw new Error(`PUT ${sku}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return Purse.fill(api);
}

/** Until nothing moves any more and all books agree, or the time is over: then what still differs is a violation. */
async function quiesce(operator: Operator, client: pg.Client, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + QUIET_MS;
  let lastSaid = '';
  while (performance.now() < deadline) {
    const unrest = await unrestOf(client);
    await operator.attend(client);
    const isQuiet = Object.values(unrest).every((count) => count === 0);
    if (isQuiet && (await checkDatabase(client)).length === 0) return;
    const said = JSON.stringify(unrest);
    if (said !== lastSaid) log(`settling: ${said}`);
    lastSaid = said;
    await sleep(1_000);
  }
}

async function shopUnderFaults(
  stack: Stack,
  options: Options,
  ledger: ClientLedger,
  injector: Injector,
  purse: Purse,
): Promise<void> {
  const durationMs = options.minutes * 60_000;
  const startedAt = performance.now();
  const closesAt = startedAt + durationMs;
  const hours = {
    isOpen: () => performance.now() < closesAt,
    isOver: () => performance.now() > closesAt + ANSWER_MS,
  };
  const random = new Random(options.seed);
  const buyers = Array.from({ length: BUYERS }, (_, i) => {
    const name = `buyer-${i + 1}`;
    return new Buyer(name, stack.balancer.port, random.fork(name), ledger, hours, purse);
  });
  const shopping = Promise.all(buyers.map((buyer) => buyer.shop()));
  await injector.follow(planFaults(options.seed, durationMs), startedAt);
  await sleep(Math.max(0, closesAt - performance.now()));
  await injector.end();
  await shopping;
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const startedAt = performance.now();
  const log = (line: string) =>
    process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`);
  log(`chaos: seed ${options.seed}, ${options.minutes} min, ${INSTANCES} instances, ${BUYERS} buyers`);
  const stack = await Stack.start(INSTANCES, log);
  try {
    const purse = await stockUp(stack);
    const ledger = new ClientLedger();
    const injector = new Injector(stack, log);
    const operator = new Operator(stack);
    await injector.begin();
    operator.begin();
    await shopUnderFaults(stack, options, ledger, injector, purse);
    await operator.end();
    log('no more faults; waiting until everything has come to rest');
    const client = await stack.connectToDatabase();
    await quiesce(operator, client, log);
    const violations: Violation[] = [
      ...stack.deaths.map((detail) => ({ check: 'an instance died by itself', detail })),
      ...(await checkDatabase(client)),
      ...(await checkInvariants(stack.balancer.port)),
      ...(await checkClients(client, ledger)),
    ];
    await printReport(client, { options, ledger, counts: injector.counts, stuck: operator.attended, violations });
    await client.end();
    if (violations.length > 0 || options.hasLogs) {
      const file = path.join(tmpdir(), `chaos-${options.seed}.log`);
      stack.writeLogs(file);
      log(`the instances' logs are in ${file}`);
    }
    return violations.length > 0 ? 1 : 0;
  } finally {
    await stack.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(2);
  },
);
