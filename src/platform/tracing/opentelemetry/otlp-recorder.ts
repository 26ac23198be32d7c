import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { RELEASE } from '../../config/release.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { SpanIdentity, TraceContext } from '../trace-context.js';
import type { FinishedSpan, SpanRecorder } from '../tracing.js';
import type { TracingSettings } from '../tracing-settings.js';
import { ChosenIds } from './chosen-ids.js';
import { countExports } from './counted-exporter.js';
import { samplerOf } from './sampling.js';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** A checkout makes about ten spans: at the SDK's default of 512 an export would be made for every fifty of them. */
const MAX_EXPORT_BATCH = 2_048;

/**
 * Records spans with OpenTelemetry's SDK and sends them as OTLP/HTTP with JSON. Nothing is registered globally and there
 * is no context manager: that would be an AsyncLocalStorage, and several applications can run in one process.
 */
export class OtlpRecorder implements SpanRecorder {
  private readonly ids = new ChosenIds();
  private readonly isKept;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly ended: () => void;

  constructor(settings: TracingSettings, instanceId: string, metrics: Metrics) {
    this.isKept = samplerOf(settings);
    const { endpoint, headers } = settings;
    const sender = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers });
    const { exporter, ended } = countExports(sender, metrics);
    this.ended = ended;
    this.provider = new TracerProvider({
      resource: resourceOf(settings, instanceId),
      sampler: new AlwaysOnSampler(), // what is not kept is not recorded at all
      idGenerator: this.ids,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          scheduledDelayMillis: settings.delayMs,
          maxQueueSize: settings.queueSize,
          maxExportBatchSize: Math.min(MAX_EXPORT_BATCH, settings.queueSize),
        }),
      ],
    });
    this.tracer = this.provider.getTracer('checkout-saga', RELEASE);
  }

  identify(parent: TraceContext | undefined): SpanIdentity {
    const traceId = parent?.traceId ?? this.ids.generateTraceId();
    const spanId = this.ids.generateSpanId();
    return { traceId, spanId, isSampled: this.isKept(traceId, parent), parentId: parent?.spanId };
  }

  record(identity: SpanIdentity, { name, kind, from, to, attributes, links, error }: FinishedSpan): void {
    const options = {
      ...(kind && { kind: KINDS[kind] }),
      ...(attributes && { attributes }),
      ...(links && { links: links.map((context) => ({ context: toSpanContext(context) })) }),
      startTime: from,
    };
    const span = this.ids.use(identity, () => this.tracer.startSpan(name, options, parentOf(identity)));
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    this.ended();
    span.end(Math.max(from, to));
  }

  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

/** What is configured may add to it, but not rename an instance. */
function resourceOf({ serviceName, attributes }: TracingSettings, instanceId: string) {
  const ours = { 'service.name': serviceName, 'service.version': RELEASE, 'service.instance.id': instanceId };
  return defaultResource().merge(resourceFromAttributes({ ...attributes, ...ours }));
}

function parentOf({ traceId, isSampled, parentId }: SpanIdentity): Context {
  if (parentId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, toSpanContext({ traceId, spanId: parentId, isSampled }));
}

function toSpanContext({ traceId, spanId, isSampled }: TraceContext) {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}
