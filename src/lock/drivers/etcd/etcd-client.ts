import http from 'node:http';
import https from 'node:https';
import { messageOf } from '../../../common/error-message.js';
import { StoreUnavailableError } from '../consensus/record-store.js';

/** Answers of etcd that another node, or the same one a moment later, would not give (codes of gRPC). */
const TRANSIENT = new Set([1, 2, 4, 8, 10, 13, 14]);
export const NOT_FOUND = 5;
/** A node that does not answer by then is left for the next one; longer each time, should all of them be slow. */
const FIRST_TRY_MS = 500;
const LONGEST_TRY_MS = 1_000;
const MAX_SOCKETS = 64;

/** What etcd refused, and would refuse again. */
export class EtcdError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(`etcd: ${message}`);
    this.name = 'EtcdError';
  }
}

export interface EtcdAnswer<T> {
  readonly body: T;
  /** Its clock, to the second. */
  readonly date: string | undefined;
}

/** etcd's v3 API as JSON, on one node at a time; after a failure on the next one. */
export class EtcdClient {
  private readonly agents: Record<string, http.Agent> = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  };
  private readonly nodes: readonly URL[];
  private index: number;
  private tryMs = FIRST_TRY_MS;
  /** Called when the next node is used. */
  onMove: () => void = () => undefined;

  constructor(urls: readonly string[]) {
    this.nodes = urls.map((url) => new URL(url));
    this.index = Math.floor(Math.random() * urls.length);
  }

  async call<T>(method: string, request: object): Promise<EtcdAnswer<T>> {
    const { index } = this;
    try {
      const answer = await this.post<T>(method, request);
      this.tryMs = FIRST_TRY_MS;
      return answer;
    } catch (error) {
      if (error instanceof EtcdError && !TRANSIENT.has(error.code)) throw error;
      this.leave(index);
      throw new StoreUnavailableError(`etcd does not answer: ${messageOf(error)}`, { cause: error });
    }
  }

  /** An answer without an end. `onEnd` is called once, also if there never was an answer. */
  stream(method: string, request: object, onLine: (line: string) => void, onEnd: () => void): { close(): void } {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      sent.destroy();
      onEnd();
    };
    const sent = this.request(method, request, (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      });
      answer.on('close', end);
      answer.on('error', end);
    });
    sent.on('error', end);
    return {
      close: () => {
        isOver = true;
        sent.destroy();
      },
    };
  }

  stop(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private post<T>(method: string, request: object): Promise<EtcdAnswer<T>> {
    return new Promise((resolve, reject) => {
      const { tryMs } = this;
      const giveUp = () => {
        this.tryMs = Math.min(2 * tryMs, LONGEST_TRY_MS);
        sent.destroy(new Error(`no answer within ${tryMs} ms`));
      };
      const timer = setTimeout(giveUp, tryMs);
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      const sent = this.request(method, request, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('error', fail);
        answer.on('end', () => {
          clearTimeout(timer);
          try {
            resolve({ body: parse(text, answer.statusCode) as T, date: answer.headers.date });
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      sent.on('error', fail);
    });
  }

  private request(method: string, body: object, onAnswer: (answer: http.IncomingMessage) => void): http.ClientRequest {
    const url = new URL(`/v3/${method}`, this.nodes[this.index]);
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      // A node that lost its leader ends a stream, which would otherwise be silent.
      'grpc-metadata-hasleader': 'true',
    };
    const transport = url.protocol === 'https:' ? https : http;
    const sent = transport.request(url, { method: 'POST', headers, agent: this.agents[url.protocol] }, onAnswer);
    sent.setNoDelay(true);
    sent.end(text);
    return sent;
  }

  private leave(index: number): void {
    if (index !== this.index) return; // somebody else has left it already
    this.index = (index + 1) % this.nodes.length;
    this.onMove();
  }
}

function parse(text: string, status = 0): unknown {
  const body = JSON.parse(text) as { readonly code?: number; readonly message?: string; readonly error?: string };
  if (status === 200) return body;
  throw new EtcdError(body.code ?? 14, body.message ?? body.error ?? `status ${status}`);
}
