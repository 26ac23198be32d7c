import { eventually } from '../../setup/eventually.js';

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
  until(condition: (messages: SseMessage[]) => boolean): Promise<SseMessage[]>;
  ended(): Promise<unknown>;
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
  return {
    status: response.status,
    headers: response.headers,
    messages,
    comments,
    get isEnded() {
      return isEnded;
    },
    until: (condition) => eventually('the message', () => messages, { until: condition }),
    ended: () => eventually('the end of the stream', () => messages, { until: () => isEnded }),
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
