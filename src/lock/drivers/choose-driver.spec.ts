import pg from 'pg';
import { ConfigurationError, loadConfig } from '../../platform/config/app-config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LockMetrics } from '../lock-metrics.js';
import { chooseDriver } from './choose-driver.js';
import { SESSION_TIMEOUT_MS } from './consensus/session-timeout.js';
import { PostgresDriver } from './postgres/postgres.driver.js';

const ETCD = 'http://a:2379,https://b:2379,http://c:2379';
const ZOOKEEPER = 'a:2181, b:2181,c:2181';

describe('the lock driver', () => {
  const choose = async (env: NodeJS.ProcessEnv) => {
    const { driver, commandTimeoutMs } = await chooseDriver(
      loadConfig(env),
      new PostgresDriver(new pg.Pool(), 'p'),
      new LockMetrics(new Metrics()),
    );
    return [driver.name, commandTimeoutMs];
  };

  it('is the one that LOCK_DRIVER names, or whose servers are named', async () => {
    expect(await choose({ LOCK_DRIVER: 'etcd', ETCD_URLS: ETCD })).toEqual(['etcd', SESSION_TIMEOUT_MS]);
    expect(await choose({ ETCD_URLS: ETCD })).toEqual(['etcd', SESSION_TIMEOUT_MS]);
    expect(await choose({ ZOOKEEPER_URLS: ZOOKEEPER })).toEqual(['zookeeper', SESSION_TIMEOUT_MS]);
    expect(await choose({ LOCK_DRIVER: 'postgres', ETCD_URLS: ETCD })).toEqual(['postgres', 1_000]);
    expect(await choose({})).toEqual(['postgres', 1_000]);
  });

  it.each([
    [{ LOCK_DRIVER: 'etcd' }, 'ETCD_URLS must be set'],
    [{ LOCK_DRIVER: 'zookeeper' }, 'ZOOKEEPER_URLS must be set'],
    [{ ETCD_URLS: 'a:2379' }, 'ETCD_URLS: must be a list such as http://host:port'],
    [{ ETCD_URLS: 'http://user:secret@a:2379' }, 'ETCD_URLS: must be a list such as'],
    [{ ZOOKEEPER_URLS: 'http://a:2181' }, 'ZOOKEEPER_URLS: must be a list such as host:port'],
    [{ ZOOKEEPER_URLS: 'a' }, 'ZOOKEEPER_URLS: must be a list such as host:port'],
  ])('refuses %j', (env, message) => {
    expect(() => loadConfig(env)).toThrow(ConfigurationError);
    expect(() => loadConfig(env)).toThrow(message);
  });
});
