import { type Collector, startCollector } from '../setup/otlp-collector.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { declinedAfterTakeover, type Play } from '../tracing/play.js';

describe('the trace of a checkout whose instance was killed', () => {
  let database: TestDatabase;
  let collector: Collector;
  let play: Play;
  beforeAll(async () => {
    [database, collector] = await Promise.all([createTestDatabase(), startCollector()]);
    play = await declinedAfterTakeover(database.url, collector);
  });
  afterAll(async () => {
    await collector.close();
    await database.drop();
  });

  const named = (name: string) => play.spans.filter((span) => span.name === name);
  const instancesOf = (name: string) => new Set(named(name).map(({ instance }) => instance));

  it('is one, over both instances', () => {
    const [first] = named('step create-order');
    const [last] = named('compensate create-order');
    expect(first!.instance).not.toBe(last!.instance);
    expect(new Set(play.spans.map(({ instance }) => instance)).size).toBe(2);
    expect(instancesOf('commit').size).toBe(2);
  });

  it('has the saga’s own span once, from the first instance’s beginning to the second one’s end', () => {
    const [saga, ...others] = named('saga checkout');
    expect(others).toEqual([]);
    const [takeover] = named('takeover');
    expect(saga!.instance).toBe(takeover!.instance);
    expect(saga!.from).toBeLessThan(play.killedAt);
    expect(saga!.attributes).toMatchObject({ 'saga.state': 'COMPENSATED', 'saga.subject': play.answer.body.orderId });
    const children = play.spans.filter(({ parentSpanId }) => parentSpanId === saga!.spanId);
    for (const span of [...named('commit'), ...named('takeover'), ...named('look up process-payment')])
      expect(children).toContain(span);
  });

  it('shows how long nobody drove it, and that the new owner asked before it did anything', () => {
    const [takeover] = named('takeover');
    const [lookUp] = named('look up process-payment');
    expect(takeover!.to - takeover!.from).toBeGreaterThan(2_000);
    expect(lookUp!.from).toBeGreaterThanOrEqual(takeover!.to - 1);
    expect(named('call process-payment')).toEqual([]); // the answer of the only call was lost with its caller
    expect(takeover!.attributes).toMatchObject({
      'saga.epoch': 2,
      'saga.previous_owner': named('step create-order')[0]!.instance,
    });
  });

  it('ends with the webhook, and with the answer to the client that asked again', () => {
    const [webhook] = named('webhook order.rejected');
    const { body } = play.answer;
    const [message] = play.receiver.of(body.orderId).filter(({ event }) => event.type === 'order.rejected');
    expect(message!.headers['traceparent']).toBe(`00-${play.traceId}-${webhook!.spanId}-01`);
    const answered = named('POST /v1/checkouts').find(
      ({ attributes }) => attributes['http.response.status_code'] === 402,
    );
    expect(answered).toMatchObject({ parentSpanId: play.storefront.spanId });
    expect(body.traceId).toBe(play.traceId);
  });

  it('is named by the log lines of the request', () => {
    const lines = play
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const completed = lines.filter(({ msg, status }) => msg === 'request completed' && status === 402);
    expect(completed.map(({ traceId }) => traceId)).toEqual([play.traceId]);
  });
});
