import 'reflect-metadata';
import { SagaRegistry } from '../../dist/src/saga/saga-registry.js';

/**
 * Preloaded, it makes the service the release after next: beside each version of the checkout it registers one with a
 * further step in the middle of the list, as docs/saga-versions.md describes it.
 */
const register = SagaRegistry.prototype.register;
SagaRegistry.prototype.register = function (definition) {
  register.call(this, definition);
  if (definition.name === 'checkout') register.call(this, withFurtherStep(definition));
};

function withFurtherStep(definition) {
  const { name, version, steps } = definition;
  const payment = steps.findIndex((step) => step.name === 'process-payment');
  const further = {
    name: 'note-visit',
    retry: { maxAttempts: 3, baseMs: 10, capMs: 100 },
    timeoutMs: 1_000,
    execute: { kind: 'local', run: async (tx, batch) => batch.forEach((run) => run.note('visit.noted')) },
  };
  return {
    name,
    version: version + 100,
    steps: steps.toSpliced(payment, 0, further),
    onEnded: (saga) => definition.onEnded(saga),
  };
}
