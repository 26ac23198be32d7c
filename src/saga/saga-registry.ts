import { Injectable } from '@nestjs/common';
import type { SagaDefinition } from './saga-definition.js';
import { faultPointsOf } from './engine/saga-fault-points.js';

/** Definitions by name and version: a saga finishes by the version it started with, so old versions stay registered. */
@Injectable()
export class SagaRegistry {
  private readonly definitions = new Map<string, SagaDefinition<unknown>>();

  register<D>(definition: SagaDefinition<D>): void {
    const key = keyOf(definition.name, definition.version);
    if (this.definitions.has(key)) throw new Error(`saga ${key} is registered twice`);
    this.definitions.set(key, definition as SagaDefinition<unknown>);
  }

  find(name: string, version: number): SagaDefinition<unknown> | undefined {
    return this.definitions.get(keyOf(name, version));
  }

  names(): string[] {
    return [...new Set([...this.definitions.values()].map(({ name }) => name))];
  }

  /** Where a test may crash or pause this process. */
  faultPoints(): string[] {
    return [...new Set([...this.definitions.values()].flatMap((definition) => faultPointsOf(definition)))];
  }

  /** What this instance can drive: it leaves versions that it does not know to those that do. */
  keys(): string[] {
    return [...this.definitions.keys()];
  }
}

function keyOf(name: string, version: number): string {
  return `${name}@${version}`;
}
