import { setTimeout as delay } from 'node:timers/promises';

export interface SseMessage {
  readonly id?: string;
  readonly event: string;
  readonly data: any;
}

export interface SseClient {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: SseMessage[];
  readonly comments: string[];
  readonly isEnded: boolean;
  until(condition: (messages: SseMessage[]) => boolean, timeoutMs?: number): Promise<SseMessage[]>;
  ended(timeoutMs?: number): Promise<void>;
  close(): void;
}

/** Follows an event stream over real HTTP, as a storefront does. */
export async function openEvents(url: string, headers: Record<string, string>): Promise<SseClient> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const messages: SseMessage[] = [];
  const comments: string[] = [];
  let isEnded = false;
  void read(response, messages, comments)
    .catch(() => undefined)
    .finally(() => (isEnded = true));
  const wait = async (isDone: () => boolean, timeoutMs: number, what: string) => {
    const deadline = Date.now() + timeoutMs;
    while (!isDone() && Date.now() < deadline) await delay(10);
    if (!isDone()) throw new Error(`${what} did not come in time; seen: ${JSON.stringify(messages)}`);
  };
  return {
    status: response.status,
    headers: response.headers,
    messages,
    comments,
    get isEnded() {
      return isEnded;
    },
    until: async (condition, timeoutMs = 15_000) => {
      await wait(() => condition(messages), timeoutMs, 'the message');
      return messages;
    },
    ended: (timeoutMs = 15_000) => wait(() => isEnded, timeoutMs, 'the end'),
    close: () => abort.abort(),
  };
}

async function read(response: Response, messages: SseMessage[], comments: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of response.body ?? []) {
    buffer += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block);
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon), line.slice(colon + 2)] as const;
        }),
      );
      const data = fields.get('data');
      if (data === undefined) continue;
      const id = fields.get('id');
      messages.push({ event: fields.get('event') ?? 'message', data: JSON.parse(data), ...(id && { id }) });
    }
  }
}
