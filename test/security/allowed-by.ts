import { z } from 'zod';
import { JsonSchema } from './api-routes.js';

/** Whether a schema of the OpenAPI document allows a body. Patterns apart: zod would read them without their `u` flag. */
export function allowedBy(schema: JsonSchema): (body: string) => boolean {
  const shape = z.fromJSONSchema(withoutPatterns(schema) as never);
  return (body) => {
    try {
      const value: unknown = body === '' ? undefined : JSON.parse(body.replace(/^\ufeff/, ''));
      return shape.safeParse(value).success && matches(schema, value);
    } catch {
      return false;
    }
  };
}

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([name, value]) => name !== 'pattern' || typeof value !== 'string');
  return Object.fromEntries(members.map(([name, value]) => [name, withoutPatterns(value)]));
}

function matches(schema: JsonSchema, value: unknown): boolean {
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (options) return options.some((option) => matches(option, value));
  if (typeof value === 'string') return !schema['pattern'] || new RegExp(schema['pattern'] as string, 'u').test(value);
  if (Array.isArray(value)) return value.every((item) => matches(schema['items'] ?? {}, item));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) =>
      matches(schema['propertyNames'] ?? {}, name) &&
      matches(schema['properties']?.[name] ?? schema['additionalProperties'] ?? {}, member),
  );
}
