import type { SagaDefinition } from './saga-definition.js';
import { SagaRegistry } from './saga-registry.js';

const version = (number: number): SagaDefinition<unknown> => ({ name: 'checkout', version: number, steps: [] });

describe('SagaRegistry', () => {
  it('keeps all versions of a name, and gives new sagas the newest, in whatever order they were registered', () => {
    const registry = new SagaRegistry();
    const [one, two, three] = [version(1), version(2), version(3)];
    for (const definition of [two, three, one]) registry.register(definition);
    expect(registry.newest(one)).toBe(three);
    expect(registry.find('checkout', 1)).toBe(one);
    expect(registry.keys()).toEqual(['checkout@2', 'checkout@3', 'checkout@1']);
    expect(() => registry.register(version(2))).toThrow('registered twice');
  });

  it('leaves a definition that has no newer version as it is', () => {
    const registry = new SagaRegistry();
    registry.register(version(1));
    const two = version(2);
    expect(registry.newest(two)).toBe(two);
  });
});
