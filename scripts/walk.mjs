// npm run walk: which functions of ours does one checkout enter, from the route to the answer?
//
// Starts the built service on an embedded PostgreSQL with V8's precise coverage, warms it up, and takes the coverage of
// single checkouts, each alone on the idle service. A function is on the walk if every one of them entered it, so that a
// background job which happens to run beside one checkout does not count. Two countings:
//
//   functions  every named function or method of ours, and their files. Getters and constructors are left out, and an
//              anonymous callback belongs to the function that contains it.
//   hops       what somebody who reads along has to open: the same without the pure helpers of src/common, metrics, and
//              the wire format beneath a transaction. A function of one statement is read in passing: it is no hop, but
//              its file counts.
//
//   npm run walk                    the figures by room
//   npm run walk -- --list          and the functions; those of one statement have a dot
//   npm run walk -- --root ../old   of another checkout of this repository, built there
//   npm run walk -- --check         fails if docs/architecture.md names a function that is not on the walk
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values: options } = parseArgs({
  options: {
    root: { type: 'string', default: path.resolve(import.meta.dirname, '..') },
    list: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    samples: { type: 'string', default: '15' },
    warm: { type: 'string', default: '300' },
  },
});
const ROOT = path.resolve(options.root);
const BUILT = `file://${ROOT}/dist/src/`;
/** Known by their names: nobody opens them to follow a checkout. */
const UNOPENED = [/^src\/common\//, /-metrics\.ts$/, /\/(burst|rows|wire-value|bounded-client)\.ts$/];
/** A commit wakes the outbox's relay, which then runs beside the answer. */
const BACKGROUND = /\.job\.js$|\/loops\//;
const START_MS = 120_000;
const KEYS = { admin: 'walk-admin-key-0001', storefront: 'walk-storefront-key' };

const walk = await measure();
report(walk);
if (options.check) check(walk);

async function measure() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'walk-'));
  const service = await startService(folder);
  try {
    const sku = { name: 'Walk', unitAmount: 1_000, currency: 'EUR', onHand: 100_000 };
    await call(service, 'PUT', '/v1/skus/WALK', KEYS.admin, sku);
    for (let round = 0; round < Number(options.warm); round += 1) await checkOut(service);
    const samples = [];
    while (samples.length < Number(options.samples)) {
      await sleep(250); // until the relay has done what the checkout before left to it
      await service.takeCoverage();
      await checkOut(service);
      samples.push(enteredIn(await service.takeCoverage()));
    }
    return functionsInAll(samples);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The service takes its own coverage when it is asked to: the socket of a debugger would be traffic, too. */
async function startService(folder) {
  const port = await freePort();
  const probe = path.join(import.meta.dirname, 'walk-probe.mjs');
  const child = spawn(process.execPath, ['--import', probe, path.join(ROOT, 'dist/src/main.js')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      ADMIN_API_KEY: KEYS.admin,
      STOREFRONT_API_KEY: KEYS.storefront,
      RATE_LIMIT: '100000',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const deadline = Date.now() + START_MS;
  while (!(await isReady(url))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('the service did not start');
    await sleep(200);
  }
  return {
    url,
    takeCoverage: () =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send('take');
      }),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function checkOut(service) {
  const { state } = await call(service, 'POST', '/v1/checkouts', KEYS.storefront, {
    customer: { email: 'walk@example.com' },
    currency: 'EUR',
    lines: [{ sku: 'WALK', quantity: 1 }],
    payment: { method: 'pm_card_visa' },
  });
  if (state !== 'CONFIRMED') throw new Error(`the order is ${state}`);
}

async function call({ url }, method, route, key, body) {
  const response = await fetch(url + route, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** `file#offset` of every function that was entered. */
function enteredIn(scripts) {
  return new Set(
    scripts
      .filter(({ url }) => url.startsWith(BUILT) && !BACKGROUND.test(url))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0)
          .map(({ ranges: [{ startOffset }] }) => `${url.slice(BUILT.length)}#${startOffset}`),
      ),
  );
}

function functionsInAll([first, ...others]) {
  const declared = new Map();
  return [...first]
    .filter((id) => others.every((sample) => sample.has(id)))
    .flatMap((id) => {
      const [file, offset] = id.split('#');
      if (!declared.has(file)) declared.set(file, functionsOf(path.join(ROOT, 'dist/src', file)));
      const found = declared.get(file).get(Number(offset));
      return found?.name ? [{ file: `src/${file.replace(/\.js$/, '.ts')}`, ...found }] : [];
    });
}

/** The functions of a built file, by the offset that V8 gives them. */
function functionsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map();
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const isOneLiner = !ts.isBlock(node.body) || node.body.statements.length < 2;
      for (const start of startsOf(node, source)) found.set(start, { name: nameOf(node), isOneLiner });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** V8 begins an exported function behind `export`, and a method with its modifiers or its name. */
function startsOf(node, source) {
  const modifiers = node.modifiers ?? [];
  const starts = modifiers.map((modifier) => modifier.getStart(source));
  const behind = modifiers.map(({ end }) => end + /^\s*/.exec(source.text.slice(end))[0].length);
  return [node.getStart(source), ...starts, ...behind];
}

function nameOf(node) {
  if (ts.isAccessor(node) || ts.isConstructorDeclaration(node)) return undefined;
  if (node.name) return node.name.getText();
  const holder = node.parent;
  const isHeld =
    ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder);
  return isHeld && holder.initializer === node ? holder.name.getText() : undefined;
}

function report(functions) {
  const line = (name, cells) => console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join(''));
  const figures = (list) => {
    const opened = list.filter(({ file }) => UNOPENED.every((pattern) => !pattern.test(file)));
    return [list.length, filesOf(list), opened.filter(({ isOneLiner }) => !isOneLiner).length, filesOf(opened)];
  };
  line('', ['functions', 'files', 'hops', 'files']);
  for (const [room, list] of grouped(functions, ({ file }) => roomOf(file))) line(room, figures(list));
  line('in all', figures(functions));
  if (!options.list) return;
  for (const [file, list] of grouped(functions, ({ file }) => file))
    console.log(`${file}: ${list.map(({ name, isOneLiner }) => (isOneLiner ? `·${name}` : name)).join(' ')}`);
}

function filesOf(functions) {
  return new Set(functions.map(({ file }) => file)).size;
}

/** The platform's rooms, and the sandbox, which stands for a provider, on lines of their own. */
function roomOf(file) {
  const [, room, inner, deeper] = file.split('/');
  if (file.includes('/sandbox/')) return 'payment (sandbox)';
  return (room === 'platform' || room === 'infrastructure') && deeper ? `${room}/${inner}` : room;
}

function grouped(functions, keyOf) {
  const groups = new Map();
  for (const each of functions) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The list in docs/architecture.md names files in backticks, each followed by its functions. */
function check(functions) {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const list = /<!-- walk:begin -->([^]*)<!-- walk:end -->/.exec(text)?.[1] ?? '';
  const seen = new Set(functions.map(({ file, name }) => `${file} ${name}`));
  const named = [...list.matchAll(/`(src\/[^`]+\.ts)`\s+([\w,\s]+)/g)].flatMap(([, file, names]) =>
    names.split(',').map((name) => `${file} ${name.trim()}`),
  );
  const missing = named.filter((each) => !seen.has(each));
  for (const each of missing) console.error(`docs/architecture.md names ${each}, which a checkout does not enter`);
  if (missing.length > 0 || named.length === 0) process.exitCode = 1;
}
