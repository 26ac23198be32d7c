import pg from 'pg';
import { FloorScript, percentiles } from './floor.js';
import type { PhaseReport } from './load.js';

const SKUS = 200;

/** The same script through pg if pgbench is missing: a little slower, because the driver takes more CPU. */
export async function runWithPg(
  url: string,
  script: FloorScript,
  connections: number,
  seconds: number,
): Promise<PhaseReport> {
  const steps = script.statements.map(prepare);
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const began = performance.now();
        await runScript(client, steps);
        latencies.push(performance.now() - began);
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  const used = process.cpuUsage(cpu);
  await Promise.all(clients.map((client) => client.end()));
  return {
    ...percentiles(Float64Array.from(latencies)),
    seconds: elapsed,
    statuses: { 201: latencies.length },
    cpuMs: (used.user + used.system) / 1_000,
  };
}

interface Step {
  readonly name: string;
  readonly text: string;
  readonly variables: readonly string[];
}

/** `:name` becomes `$n`; text and not numeric, so that `||` needs no cast. */
function prepare(statement: string, index: number): Step {
  const variables: string[] = [];
  const text = statement.replace(/\s*\\gset$/, '').replace(/(?<!:):([a-z_]+)/g, (_, name: string) => {
    variables.push(name);
    return name === 'order_id' ? `$${variables.length}::uuid` : `$${variables.length}::text`;
  });
  return { name: `floor-${index}-${text.length}`, text, variables };
}

async function runScript(client: pg.Client, steps: readonly Step[]): Promise<void> {
  const a = 1 + Math.floor(Math.random() * SKUS);
  const b = ((a + 36) % SKUS) + 1;
  const values: Record<string, string> = {
    key: `${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}`,
    customer: `${Math.floor(Math.random() * 5_000)}`,
    x: String(Math.min(a, b)),
    y: String(Math.max(a, b)),
  };
  for (const { name, text, variables } of steps) {
    const result = await client.query<{ order_id?: string }>({
      name,
      text,
      values: variables.map((key) => values[key]),
    });
    const id = result.rows[0]?.order_id;
    if (id !== undefined) values['order_id'] = id;
  }
}
