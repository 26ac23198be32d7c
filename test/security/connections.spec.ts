import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { eventually } from '../setup/eventually.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { parseRaw } from './raw-http.js';

const MAX_CONNECTIONS = 5;
const GET = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

/** Silent ones are to be closed soon, or not while the test is busy opening others. */
const IMPATIENT = { KEEP_ALIVE_MS: '1000', REQUEST_TIMEOUT_MS: '500' };
const PATIENT = { KEEP_ALIVE_MS: '60000', REQUEST_TIMEOUT_MS: '60000' };

describe('connections', () => {
  let test: TestApp;
  const sockets: Socket[] = [];
  const start = async (terms: Readonly<Record<string, string>>) => {
    test = await startTestApp({ MAX_CONNECTIONS: String(MAX_CONNECTIONS), ...terms });
  };
  beforeAll(() => start(IMPATIENT));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually('the server has closed them', openConnections, { until: (open) => open === 0 });
  });
  afterAll(() => test.close());

  /** A client that never closes its side by itself. */
  const open = async () => {
    const { port } = new URL(test.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const openConnections = () => {
    const server = test.app.getHttpServer();
    return promisify(
      server.getConnections.bind(server) as (done: (error: Error | null, open: number) => void) => void,
    )();
  };
  const accepted = (count: number) =>
    eventually(`${count} connections`, openConnections, { until: (open) => open === count });
  const metric = async (name: string) => {
    const text = await test.app.get(Metrics).registry.getSingleMetricAsString(name);
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };

  it.each([
    ['says nothing', ''],
    ['begins a request and does not end it', 'GET /health/live HTTP/1.1\r\nHost:'],
    ['speaks another language', 'HELLO?\r\n\r\n'],
  ])('of a client that %s, and never closes, are closed', async (_, bytes) => {
    const socket = await open();
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    await accepted(1);
    socket.write(bytes);
    await accepted(0);
    expect([400, 408]).toContain(parseRaw(answer).status);
  });

  it('that idle after a request are closed', async () => {
    const socket = await open();
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    expect(await openConnections()).toBe(1);
    await accepted(0);
  });

  it('of a client that asks and does not read are closed', async () => {
    const socket = await open();
    socket.pause();
    socket.write(GET.repeat(100)); // more than any buffer on the way can take
    await accepted(1);
    await accepted(0);
  });

  it('beyond the limit are refused when they come, and counted; there is room again when one has gone', async () => {
    await test.close();
    await start(PATIENT);
    for (let number = 1; number <= MAX_CONNECTIONS; number += 1) await open();
    await accepted(MAX_CONNECTIONS);
    expect(await metric('http_connections')).toBe(MAX_CONNECTIONS);
    const refused = await open();
    await once(refused.resume(), 'end');
    expect(await metric('http_connections_refused_total')).toBe(1);
    sockets[0]!.destroy();
    await eventually('room', openConnections, { until: (count) => count < MAX_CONNECTIONS });
    const next = await open();
    next.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(next, 'data'))[0])).toContain('200 OK');
  });
});
