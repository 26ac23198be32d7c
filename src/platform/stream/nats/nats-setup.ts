import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { COMMAND_SUBJECT, EVENT_SUBJECTS, type StreamSettings } from '../stream-settings.js';

type NewStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 ** 2;

/**
 * As long as the outbox keeps them: whoever was away for longer reads the orders over HTTP. The broker sets aside as much room as
 * the limits name, and refuses a stream that it has no room for.
 */
const EVENTS: NewStream = {
  name: 'CHECKOUT_EVENTS',
  subjects: [EVENT_SUBJECTS],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: nanos(7 * DAY_MS),
  max_bytes: 1_024 * MIB,
};

/** A full stream refuses new commands, whose sender then knows; dropping old ones would lose orders unseen. */
const COMMANDS: NewStream = {
  name: 'CHECKOUT_COMMANDS',
  subjects: [COMMAND_SUBJECT],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_bytes: 256 * MIB,
};

/** One name for all instances makes them one group: each message goes to one of them. */
const CONSUMER = 'checkout-saga';
/** Over all instances, so that one that hangs cannot keep the others from their messages. */
const MAX_ACK_PENDING = 10_000;

/** The stream that takes the events, made if there is none; one that exists is used as it is. */
export function ensureEventStream(jsm: JetStreamManager): Promise<string> {
  return ensure(jsm, EVENTS);
}

/** The stream and the consumer of commands. */
export async function ensureCommands(
  jsm: JetStreamManager,
  { ackWaitMs, maxMessageBytes }: StreamSettings,
): Promise<{ stream: string; consumer: string }> {
  const stream = await ensure(jsm, { ...COMMANDS, max_msg_size: maxMessageBytes });
  const config: Partial<ConsumerConfig> = {
    durable_name: CONSUMER,
    filter_subject: COMMAND_SUBJECT,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    // Ours are the dead letters: the broker would only stop to deliver, and say so to nobody.
    max_deliver: -1,
    max_ack_pending: MAX_ACK_PENDING,
  };
  await jsm.consumers.add(stream, config);
  return { stream, consumer: CONSUMER };
}

/** Two instances that start together make the same stream, which is no conflict. */
async function ensure(jsm: JetStreamManager, config: NewStream): Promise<string> {
  for await (const name of jsm.streams.names(config.subjects[0])) return name;
  return (await jsm.streams.add(config)).config.name;
}
