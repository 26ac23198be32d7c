import type { JetStreamManager, PubAck } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { StreamEvent } from '../stream-broker.js';
import { EVENT_SUBJECTS, eventSubject } from '../stream-settings.js';
import type { NatsSession } from './nats-session.js';

const PUBLISH_TIMEOUT_MS = 5_000;
const CONTENT_TYPE = 'application/cloudevents+json';
const MESSAGE_ID = 'Nats-Msg-Id';

/**
 * Every message names the sequence that it expects to follow. So the order holds whoever else publishes: a message that
 * was delayed, or sent by an instance that was paused, expects an older end of the stream and is refused. The end is read
 * from the stream before each batch, which also says how far the publisher before came. JetStream's window for duplicates,
 * two minutes, is not relied on: a broker may be away for longer. Answers how many of the first events the stream has.
 */
export async function publishInOrder(
  session: NatsSession,
  stream: string,
  events: readonly StreamEvent[],
): Promise<number> {
  const end = await endOf(session.jsm, stream);
  const known = events.findIndex(({ id }) => id === end.id) + 1;
  // All at once: the server handles the messages of one connection in order, and after a refusal refuses the rest.
  const acks = await Promise.allSettled(
    events.slice(known).map((event, index) => publish(session, stream, event, end.sequence + index)),
  );
  const failedAt = acks.findIndex(({ status }) => status === 'rejected');
  if (failedAt === -1) return events.length;
  const confirmed = known + failedAt;
  const failure = acks[failedAt];
  if (confirmed === 0 && failure?.status === 'rejected') throw failure.reason;
  return confirmed;
}

function publish(
  { js }: NatsSession,
  stream: string,
  { id, type, body }: StreamEvent,
  lastSequence: number,
): Promise<PubAck> {
  const contentType = headers();
  contentType.set('content-type', CONTENT_TYPE);
  return js.publish(eventSubject(type), body, {
    msgID: id,
    headers: contentType,
    expect: { streamName: stream, lastSequence },
    timeout: PUBLISH_TIMEOUT_MS,
  });
}

async function endOf(jsm: JetStreamManager, stream: string): Promise<{ sequence: number; id: string | undefined }> {
  const [{ state }, last] = await Promise.all([
    jsm.streams.info(stream),
    jsm.streams.getMessage(stream, { last_by_subj: EVENT_SUBJECTS }),
  ]);
  return { sequence: state.last_seq, id: last?.header.get(MESSAGE_ID) };
}
