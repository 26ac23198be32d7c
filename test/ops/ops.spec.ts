import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startTestApp } from '../setup/test-app.js';

const OPS = path.resolve(import.meta.dirname, '../../ops');
const read = (name: string) => readFileSync(path.join(OPS, name), 'utf8');

/** Functions, keywords and labels of the query language that look like names of metrics. */
const WORDS =
  /^(sum|max|min|avg|count|by|on|and|or|unless|without|rate|increase|histogram_quantile|max_over_time|label_values|le|up)$/;

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}
const dashboard = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };

describe('dashboards and alerts', () => {
  let known: Set<string>;

  beforeAll(async () => {
    const test = await startTestApp();
    const { body } = await test.api.get('/metrics', { key: 'admin' });
    await test.close();
    const declared = [...(body as string).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    known = new Set(
      declared.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
  });

  it('name only metrics that the service has', () => {
    const queries = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...alertExpressions(read('alerts.yml')),
    ];
    expect(queries.length).toBeGreaterThan(50);
    const unknown = queries.flatMap(metricsIn).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
  });

  it('the dashboard has its rows, and no panel lies on another', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual([
      'Checkouts',
      'Latency',
      'Sagas',
      'Locks',
      'Stock and reservations',
      'Payments',
      'Events',
      'Runtime',
    ]);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('every alert says how grave it is and what to do', () => {
    const alerts = read('alerts.yml').split('- alert: ').slice(1);
    for (const alert of alerts) {
      expect(alert).toMatch(/severity: (page|ticket)/);
      expect(alert).toMatch(/summary: '.+'/);
      expect(alert).toMatch(/action: '.+'/);
    }
    expect(alerts.length).toBeGreaterThanOrEqual(12);
  });
});

/** The names outside label matchers, groupings and ranges. */
function metricsIn(query: string): string[] {
  const bare = query
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|on|without) \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*/gi)].map(([name]) => name).filter((name) => !WORDS.test(name));
}

/** `expr:` on one line, or folded over the more indented lines below it. */
function alertExpressions(yaml: string): string[] {
  return [...yaml.matchAll(/^ {8}expr: (?:>\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
    ([, folded, line]) => folded ?? line ?? '',
  );
}
