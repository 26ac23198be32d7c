import type { CallOptions } from './operation.js';
import { CheckoutError, ConnectionError } from './problem-error.js';
import { errorOf, isPassing, pauseBefore, sleep, type Transport } from './transport.js';

/** One message of a stream of server-sent events; `data` was JSON. */
export interface StreamMessage {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

/** Longer than the service is ever silent: it sends a comment every 15 s. */
const SILENCE_MS = 60_000;

/**
 * The messages of a stream, over as many connections as it takes: after a break it goes on behind the last message that had
 * an id. Ends with a 204, which says that nothing more will come.
 */
export async function* followStream(
  transport: Transport,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  { signal, retryForMs = transport.options.retryForMs ?? 60_000 }: CallOptions,
  lastEventId?: string,
): AsyncGenerator<StreamMessage> {
  let lastId = lastEventId;
  let failures = 0;
  let failingSince = 0;
  for (;;) {
    let error: CheckoutError | undefined;
    try {
      const stop = new AbortController();
      const request = { method: 'GET', path, headers: { ...headers, 'last-event-id': lastId }, isRepeatable: true };
      const response = await transport.open(request, signal, stop.signal);
      if (response.status === 204) return;
      if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
      for await (const message of messagesOf(response, stop)) {
        failures = 0;
        lastId = message.id ?? lastId;
        yield message;
      }
    } catch (cause) {
      signal?.throwIfAborted();
      error = cause instanceof CheckoutError ? cause : new ConnectionError(cause);
    }
    failures += 1;
    if (failures === 1) failingSince = Date.now();
    const retryAfter = error && 'retryAfter' in error ? (error.retryAfter as number | undefined) : undefined;
    const pauseMs = pauseBefore(failures, retryAfter);
    if (error && (!isPassing(error, true) || Date.now() + pauseMs > failingSince + retryForMs)) throw error;
    await sleep(pauseMs, signal);
  }
}

/** Stops reading when the consumer does, and when the connection is silent for so long that it must be dead. */
async function* messagesOf(response: Response, stop: AbortController): AsyncGenerator<StreamMessage> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    for (;;) {
      const timer = setTimeout(() => stop.abort(), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      buffer += value;
      const blocks = buffer.split(/\r?\n\r?\n/);
      buffer = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parse(block);
        if (message) yield message;
      }
    }
  } finally {
    stop.abort();
  }
}

function parse(block: string): StreamMessage | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w*):? ?(.*)$/.exec(line) ?? [];
    fields.set(name, fields.has(name) && name === 'data' ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? 'message',
    data: JSON.parse(data) as unknown,
    ...(id !== undefined && { id }),
  };
}
