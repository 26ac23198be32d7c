import { Injectable } from '@nestjs/common';
import { Tracing } from '../../platform/tracing/tracing.js';
import { SagaMetrics } from './saga-metrics.js';
import type { SagaRun } from './saga-run.js';
import { SagaTraces } from './saga-traces.js';

/** What the engine says about itself: `metrics` count it, and `traces` draw it where tracing is on. */
@Injectable()
export class SagaTelemetry {
  readonly traces: SagaTraces | undefined;

  constructor(
    readonly metrics: SagaMetrics,
    tracing: Tracing,
    traces: SagaTraces,
  ) {
    this.traces = tracing.isOn ? traces : undefined;
  }

  called(run: SagaRun, step: string, outcome: 'answered' | 'unknown', ms: number): void {
    this.metrics.called(run, step, outcome, ms);
    this.traces?.called(run, step, outcome, ms);
  }

  resumed(run: SagaRun): void {
    this.metrics.claimed(run);
    this.traces?.resumed(run);
  }

  rested(run: SagaRun): void {
    this.metrics.rested(run);
    if (!run.isEnded || !this.traces) return;
    const { id, definition, subject, state, trace } = run;
    this.traces.ended({ id, name: definition.name, subject, state, trace });
  }
}
