import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/platform/config/app-config.js';

const MODELS = { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget, Service } as const;
const file = path.resolve(import.meta.dirname, '../../ops/kubernetes/checkout-saga.yaml');
const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
const of = (kind: keyof typeof MODELS) => objects.find((object) => object.kind === kind);

describe('the Kubernetes manifests', () => {
  it.each(Object.keys(MODELS) as (keyof typeof MODELS)[])('have a %s that its schema accepts', (kind) => {
    const object = of(kind);
    expect(MODELS[kind].apiVersion).toBe(object.apiVersion);
    expect(() => new MODELS[kind](object).validate()).not.toThrow();
    expect(() => new MODELS[kind]({ ...object, spec: 'none' }).validate()).toThrow();
  });

  it('select the pods of the deployment, at least one of which stays', () => {
    const labels = of('Deployment').spec.template.metadata.labels;
    expect(of('Service').spec.selector).toEqual(labels);
    expect(of('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(of('PodDisruptionBudget').spec.minAvailable).toBeLessThan(of('HorizontalPodAutoscaler').spec.minReplicas);
  });

  it('give an instance the time that it takes to stop', () => {
    const { spec } = of('Deployment').spec.template;
    const given = Object.fromEntries(spec.containers[0].env.map((each: any) => [each.name, each.value]));
    const { http } = loadConfig({ ...given, ...SECRETS });
    expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(http.shutdownDelayMs + http.shutdownGraceMs);
  });
});

const SECRETS = {
  DATABASE_URL: 'postgres://a,b/checkout',
  ADMIN_API_KEY: 'admin-key-for-tests-only',
  STOREFRONT_API_KEY: 'storefront-key-for-tests',
  ACCESS_TOKEN_SECRET: 'access-token-secret-for-tests',
  PAYMENT_GATEWAY: 'sandbox',
  SANDBOX_IN_PRODUCTION: 'true',
};
