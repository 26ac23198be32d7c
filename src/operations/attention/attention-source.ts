import { sumOf, summaryOf } from '../preview/effect.js';
import type { AttentionGroup, AttentionItem } from './attention.dto.js';

export const ATTENTION_SOURCES = Symbol('ATTENTION_SOURCES');

/** One kind of problem that may wait for a person. A new kind is a new source. */
export interface AttentionSource {
  groups(): Promise<AttentionGroup[]>;
}

/** The number of items shown per group. The counts include all items. */
export const SHOWN = 20;

/** The effects of the recommended verb on the shown items, added up. */
export function outlook(
  items: readonly AttentionItem[],
  recommended: string | null,
): Pick<AttentionGroup, 'recommended' | 'effects' | 'summary'> {
  const previews = items.flatMap(({ verbs }) => verbs.filter(({ verb }) => verb === recommended));
  const effects = sumOf(previews.map((preview) => preview.effects));
  return { recommended, effects, summary: recommended === null ? '' : summaryOf(effects) };
}
