import { Inject, Injectable } from '@nestjs/common';
import { ATTENTION_SOURCES, type AttentionSource } from './attention-source.js';
import type { Attention } from './attention.dto.js';

/** Everything that waits for a person, oldest cause first. */
@Injectable()
export class AttentionService {
  constructor(@Inject(ATTENTION_SOURCES) private readonly sources: readonly AttentionSource[]) {}

  async list(): Promise<Attention> {
    const found = await Promise.all(this.sources.map((source) => source.groups()));
    const groups = found.flat().sort((a, b) => a.oldestAt.localeCompare(b.oldestAt));
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return { count, groups, checkedAt: new Date().toISOString() };
  }
}
