import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { KEYS } from '../setup/app-process.js';
import { requireProgram } from '../setup/debian-package.js';
import { eventually } from '../setup/eventually.js';
import { startTestApp, TestApp } from '../setup/test-app.js';

const OPS = path.resolve(import.meta.dirname, '../../ops');
const read = (name: string) => readFileSync(path.join(OPS, name), 'utf8');
const promtool = (...args: string[]) =>
  execFileSync(requireProgram('promtool', 'prometheus'), args, { encoding: 'utf8', stdio: 'pipe' });

describe('ops/ on a real Prometheus', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'checkout-prometheus-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('has a configuration and rules that promtool accepts', () => {
    expect(promtool('check', 'config', '--syntax-only', path.join(OPS, 'prometheus.yml'))).toContain('SUCCESS');
    expect(promtool('check', 'rules', path.join(OPS, 'alerts.yml'))).toContain('SUCCESS');
  });

  it('has a test of every alert that makes it fire, and no other one with it', () => {
    expect(promtool('test', 'rules', path.join(OPS, 'alerts.test.yml'))).toContain('SUCCESS');
    const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tested = [...read('alerts.test.yml').matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
    expect(tested.sort()).toEqual(alerts.sort());
  });

  it('has a dashboard whose every query parses', () => {
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets?: { expr: string }[] }[] };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const rules = queries.map((expr, at) => ({
      record: `dashboard_query_${at}`,
      expr: expr.replaceAll(/\$__(rate_)?interval/g, '1m').replaceAll(/\$\{?\w+\}?/g, '.*'),
    }));
    const file = path.join(directory, 'dashboard.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] })); // JSON is YAML
    expect(promtool('check', 'rules', file)).toContain(`SUCCESS: ${queries.length} rules found`);
  });

  describe('that scrapes an instance', () => {
    let test: TestApp;
    let prometheus: ChildProcess;
    let api: string;
    beforeEach(async () => {
      test = await startTestApp();
      const key = path.join(directory, 'checkout-saga.key');
      writeFileSync(key, KEYS.ADMIN_API_KEY);
      const configuration = read('prometheus.yml')
        .replace('/etc/prometheus/checkout-saga.key', key)
        .replace(/targets: \[.*\]/, `targets: ['${new URL(test.url).host}']`)
        .replaceAll('10s', '1s');
      writeFileSync(path.join(directory, 'prometheus.yml'), configuration);
      cpSync(path.join(OPS, 'alerts.yml'), path.join(directory, 'alerts.yml'));
      const port = await freePort();
      const flags = [
        `--config.file=${path.join(directory, 'prometheus.yml')}`,
        `--storage.tsdb.path=${path.join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ];
      prometheus = spawn(requireProgram('prometheus', 'prometheus'), flags, { stdio: 'ignore' });
      api = `http://127.0.0.1:${port}/api/v1`;
    });
    afterEach(async () => {
      const exit = once(prometheus, 'exit');
      if (prometheus.exitCode === null && prometheus.kill('SIGKILL')) await exit;
      await test.close();
    });

    const ask = async (what: string): Promise<any> => {
      const response = await fetch(`${api}${what}`).catch(() => undefined);
      return response?.ok ? ((await response.json()) as { data: unknown }).data : undefined;
    };

    it('gets its metrics with the key, and evaluates every rule', async () => {
      const target = await eventually('a scrape', async () => {
        const found = (await ask('/targets'))?.activeTargets?.[0];
        return found && found.health !== 'unknown' ? found : undefined;
      });
      expect([target.health, target.lastError]).toEqual(['up', '']);
      const rules = await eventually('an evaluation', async () => {
        const found: any[] = (await ask('/rules'))?.groups?.flatMap((group: any) => group.rules) ?? [];
        return found.length > 0 && found.every(({ health }) => health !== 'unknown') ? found : undefined;
      });
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    });
  });
});
