import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '../trace-context.js';
import type { TracingSettings } from '../tracing-settings.js';

const PARENT_BASED = 'parentbased_';

/** Whether a span is kept. All spans of one trace get the same answer, on every instance. */
export function samplerOf({ sampler, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>) {
  const isParentBased = sampler.startsWith(PARENT_BASED);
  const isKept = rootSamplerOf(isParentBased ? sampler.slice(PARENT_BASED.length) : sampler, ratio);
  return (traceId: string, parent: TraceContext | undefined): boolean =>
    isParentBased && parent ? parent.isSampled : isKept(traceId);
}

function rootSamplerOf(name: string, ratio: number): (traceId: string) => boolean {
  if (name !== 'traceidratio') return () => name === 'always_on';
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  return (traceId) => byRatio.shouldSample(undefined, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
