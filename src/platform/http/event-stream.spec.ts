import { EventStream } from './event-stream.js';

describe('a stream of events', () => {
  const message = (bytes: number) => Buffer.alloc(bytes, '.');

  it('gives a client the time to read a long beginning', () => {
    const stream = new EventStream(() => undefined);
    stream.begin(message(1_000_000));
    stream.beat();
    stream.send('event: a\ndata: 1\n\n');
    expect(stream.body.destroyed).toBe(false);
    expect(String(stream.body.read())).toMatch(/\.\.: heartbeat\n\nevent: a\ndata: 1\n\n$/);
  });

  it('leaves a client that does not read what comes after it', () => {
    const stream = new EventStream(() => undefined);
    stream.begin(message(1_000_000));
    for (let sent = 0; sent < 5; sent += 1) stream.send(message(100_000));
    expect(stream.body.destroyed).toBe(true);
  });
});
