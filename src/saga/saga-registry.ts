import { Injectable } from '@nestjs/common';
import type { SagaDefinition } from './saga-definition.js';
import { faultPointsOf } from './engine/saga-fault-points.js';

/**
 * Definitions by name and version. A new saga takes the newest version of its name; one that is stored finishes by the
 * version it started with, so an old version stays registered until no saga of it is open (docs/saga-versions.md).
 */
@Injectable()
export class SagaRegistry {
  private readonly definitions = new Map<string, SagaDefinition<unknown>>();
  private readonly newestByName = new Map<string, SagaDefinition<unknown>>();

  register<D>(definition: SagaDefinition<D>): void {
    const key = keyOf(definition.name, definition.version);
    if (this.definitions.has(key)) throw new Error(`saga ${key} is registered twice`);
    this.definitions.set(key, definition as SagaDefinition<unknown>);
    const newest = this.newestByName.get(definition.name);
    if (!newest || newest.version < definition.version)
      this.newestByName.set(definition.name, definition as SagaDefinition<unknown>);
  }

  find(name: string, version: number): SagaDefinition<unknown> | undefined {
    return this.definitions.get(keyOf(name, version));
  }

  /** By which a new saga runs: the newest version under the definition's name. */
  newest<D>(definition: SagaDefinition<D>): SagaDefinition<D> {
    const newest = this.newestByName.get(definition.name);
    return newest && newest.version > definition.version ? newest : definition;
  }

  /** Where a saga stands whose next step is this one, in every definition that has it: `name@version#position`. */
  placesOf(step: string): string[] {
    return [...this.definitions].flatMap(([key, { steps }]) =>
      steps.flatMap(({ name }, position) => (name === step ? [`${key}#${position}`] : [])),
    );
  }

  names(): string[] {
    return [...new Set([...this.definitions.values()].map(({ name }) => name))];
  }

  /** The fault points of all definitions. */
  faultPoints(): string[] {
    return [...new Set([...this.definitions.values()].flatMap((definition) => faultPointsOf(definition)))];
  }

  /** The definitions that this instance can drive. It leaves unknown versions to others. */
  keys(): string[] {
    return [...this.definitions.keys()];
  }
}

function keyOf(name: string, version: number): string {
  return `${name}@${version}`;
}
