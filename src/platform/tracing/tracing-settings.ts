/** OpenTelemetry's names (OTEL_TRACES_SAMPLER). With `parentbased_` whoever began the trace decides, else the rest of the name does. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** The base URL of the collector's OTLP/HTTP receiver. */
  readonly endpoint: string;
  /** Sent with every export: what the collector asks for. */
  readonly headers: Record<string, string>;
  readonly serviceName: string;
  /** Of the resource that spans belong to: where it runs, in which environment. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Of the traces that begin here. */
  readonly ratio: number;
  readonly delayMs: number;
  readonly queueSize: number;
}
