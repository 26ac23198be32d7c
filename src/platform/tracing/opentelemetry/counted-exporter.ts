import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Metrics } from '../../metrics/metrics.js';

/** Spans that never arrive are silent otherwise: what ended and was neither exported nor failed was dropped, or waits. */
export function countExports(exporter: SpanExporter, metrics: Metrics): { exporter: SpanExporter; ended: () => void } {
  const spans = metrics.counter('trace_spans_total', 'Spans that ended, and what became of them at the collector', [
    'outcome',
  ]);
  return {
    ended: () => spans.inc({ outcome: 'ended' }),
    exporter: {
      export: (batch, done) =>
        exporter.export(batch, (result) => {
          spans.inc({ outcome: result.code === ExportResultCode.SUCCESS ? 'exported' : 'failed' }, batch.length);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
  };
}
