import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { SagaRun } from './saga-run.js';

@Injectable()
export class SagaMetrics {
  private readonly ended;
  private readonly stuck;
  private readonly recovered;
  private readonly batches;
  private readonly stages;
  private readonly calls;

  constructor(private readonly metrics: Metrics) {
    this.ended = metrics.counter('sagas_ended_total', 'Sagas that reached a terminal state', ['saga', 'state']);
    this.stuck = metrics.counter('sagas_stuck_total', 'Sagas that gave up and wait for an operator', ['saga']);
    this.recovered = metrics.counter('sagas_recovered_total', 'Sagas claimed after their lease or deadline was over', [
      'saga',
    ]);
    this.batches = metrics.counter('saga_batched_total', 'Sagas that went through a group commit', ['saga', 'step']);
    this.stages = metrics.histogram('saga_stage_seconds', 'Locks, transaction and commit of one batch', [
      'saga',
      'step',
    ]);
    this.calls = metrics.histogram('saga_call_seconds', 'Remote calls of steps', ['saga', 'step', 'outcome']);
  }

  watch(load: () => { inFlight: number; limit: number }): void {
    const inFlight = this.metrics.gauge('sagas_in_flight', 'Sagas that this instance drives now');
    const limit = this.metrics.gauge('sagas_in_flight_limit', 'The most sagas that this instance drives at once');
    this.metrics.onScrape(() => {
      inFlight.set(load().inFlight);
      limit.set(load().limit);
    });
  }
  staged(run: SagaRun, step: string, size: number, ms: number): void {
    this.batches.inc({ saga: run.definition.name, step }, size);
    this.stages.observe({ saga: run.definition.name, step }, ms / 1_000);
  }
  called(run: SagaRun, step: string, outcome: 'answered' | 'unknown', ms: number): void {
    this.calls.observe({ saga: run.definition.name, step, outcome }, ms / 1_000);
  }
  rested(run: SagaRun): void {
    if (run.state === 'STUCK') this.stuck.inc({ saga: run.definition.name });
    else if (run.isEnded) this.ended.inc({ saga: run.definition.name, state: run.state });
  }
  claimed(run: SagaRun): void {
    this.recovered.inc({ saga: run.definition.name });
  }
}
