import { DynamicModule, Module, OnApplicationShutdown } from '@nestjs/common';
import { within } from '../../common/deadline.js';
import { type AppConfig, ConfigurationError } from '../config/app-config.js';
import { Metrics } from '../metrics/metrics.js';
import { type SpanRecorder, Tracing } from './tracing.js';

/** A collector that does not answer must not hold up the end of the process. */
const CLOSE_TIMEOUT_MS = 3_000;

@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(private readonly tracing: Tracing) {}

  static register(config: AppConfig): DynamicModule {
    const tracing = {
      provide: Tracing,
      inject: [Metrics],
      useFactory: async (metrics: Metrics) => new Tracing(await openRecorder(config, metrics)),
    };
    return { module: TracingModule, global: true, providers: [tracing], exports: [Tracing] };
  }

  async onApplicationShutdown(): Promise<void> {
    await within(CLOSE_TIMEOUT_MS, this.tracing.close()).catch(() => undefined);
  }
}

/** The packages are optional, and loaded only where they are configured. */
async function openRecorder({ tracing, instanceId }: AppConfig, metrics: Metrics): Promise<SpanRecorder | undefined> {
  if (tracing === undefined) return undefined;
  try {
    const { OtlpRecorder } = await import('./opentelemetry/otlp-recorder.js');
    return new OtlpRecorder(tracing, instanceId, metrics);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new ConfigurationError(
      'OTEL_EXPORTER_OTLP_ENDPOINT needs the optional dependencies of this package (@opentelemetry/…): install them, or unset it',
      { cause: error },
    );
  }
}
