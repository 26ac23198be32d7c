import { z } from 'zod';

interface Converted {
  readonly schema: unknown;
  readonly components: Record<string, unknown>;
}

/** Converts zod schemas to the JSON Schema of OpenAPI 3.1. A schema with an `id` becomes a component. */
export function convertSchema(
  schema: unknown,
  { schemaType }: { schemaType: 'input' | 'output' },
): Converted | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const { $defs, ...converted } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: schemaType,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema, schemaType),
  });
  delete converted.$schema;
  return { schema: converted, components: { ...$defs } };
}

/** Removes the patterns that a format already implies, and lets answers gain members without notice. */
function simplify(schema: z.core.JSONSchema.BaseSchema, schemaType: 'input' | 'output'): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schemaType === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}
