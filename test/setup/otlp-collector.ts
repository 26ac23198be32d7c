import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.js';

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  /** The instance that recorded it. */
  readonly instance: string;
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The headers of every export. */
  readonly requests: IncomingHttpHeaders[];
  of(traceId: string): CollectedSpan[];
  /** The spans of a trace, once all these names are among them. */
  until(traceId: string, names: readonly string[]): Promise<CollectedSpan[]>;
  close(): Promise<void>;
}

/** A collector that speaks OTLP over HTTP, as OpenTelemetry's own does. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(request.headers);
      const isKnown = request.method === 'POST' && request.url === '/v1/traces';
      if (isKnown) spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    of,
    until: (traceId, names) =>
      eventually(`the spans ${names.join(', ')} of ${traceId}`, () => of(traceId), {
        until: (found) => names.every((name) => found.some((span) => span.name === name)),
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: any): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) => {
    const instance = attributesOf(resource.attributes)['service.instance.id'];
    return scopeSpans.flatMap(({ spans }: any) => spans.map((span: any) => toSpan(span, String(instance))));
  });
}

function toSpan(span: any, instance: string): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, kind, links = [], status } = span;
  return {
    ...{ traceId, spanId, name, kind, instance },
    ...(parentSpanId && { parentSpanId }),
    from: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
    to: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
    attributes: attributesOf(span.attributes),
    links: links.map((link: any) => ({ traceId: link.traceId, spanId: link.spanId })),
    isError: status?.code === 2,
  };
}

function attributesOf(list: any[] = []): Record<string, string | number | boolean> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value as object)[0]]));
}

/** A trace that a storefront has begun. */
export function newTraceparent(flags = '01'): { traceId: string; spanId: string; traceparent: string } {
  const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}
