import { z } from 'zod';
import { ONE_LINE, STORABLE } from '../../../common/text.js';

interface Converted {
  readonly schema: unknown;
  readonly components: Record<string, unknown>;
}

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] };

/** In a schema's `meta`: it has exactly one of these members. What validates that is a `refine`, which JSON Schema cannot show. */
export const ONE_OF = 'x-one-of';

/**
 * Not every language's regular expressions know Unicode properties. What these leave out, half of a surrogate pair, no
 * other JSON library writes.
 */
const PORTABLE: ReadonlyMap<string, string> = new Map([
  [ONE_LINE.source, '^[^\\x00-\\x1f\\x7f-\\x9f]*$'],
  [STORABLE.source, '^[^\\x00]*$'],
]);

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
  const adapt = schemaType === 'input' ? adaptRequest : (same: unknown): unknown => same;
  return { schema: adapt(converted), components: adapt({ ...$defs }) as Record<string, unknown> };
}

/** Removes the patterns that a format already implies, and lets answers gain members without notice. */
function simplify(schema: z.core.JSONSchema.BaseSchema, schemaType: 'input' | 'output'): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.pattern !== undefined) schema.pattern = PORTABLE.get(schema.pattern) ?? schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schemaType === 'output' && (schema.additionalProperties === false || schema.properties)) {
    delete schema.additionalProperties;
  }
}

function adaptRequest(schema: unknown): unknown {
  if (Array.isArray(schema)) return (schema as unknown[]).map(adaptRequest);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema as Record<string, unknown>).map(
    ([name, value]) => [name, isData(name) ? value : adaptRequest(value)] as const,
  );
  const adapted = Object.fromEntries(members) as JsonSchema;
  if (adapted.properties) {
    adapted.properties = Object.fromEntries(
      Object.entries(adapted.properties).map(([name, property]) => [name, sayDefault(property)]),
    );
  }
  return ONE_OF in adapted ? toAlternatives(adapted) : adapted;
}

/** Examples and defaults are values, not schemas. */
function isData(name: string): boolean {
  return name === 'examples' || name === 'default' || name === 'enum';
}

/** Generators take a member with a `default` for one that is always there: its description says what the default is. */
function sayDefault(property: JsonSchema): JsonSchema {
  if (!('default' in property)) return property;
  const { default: value, description, ...rest } = property;
  const said = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...rest, description: typeof description === 'string' ? `${description}. ${said}` : said };
}

/** One object schema per alternative: generators make a union of them, where a list of `required` would be lost. */
function toAlternatives({ [ONE_OF]: names, ...schema }: JsonSchema): JsonSchema {
  const { properties = {}, required = [], type, additionalProperties, ...rest } = schema;
  const alternatives = (names as string[]).map((chosen) => ({
    type,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => name === chosen || !(names as string[]).includes(name)),
    ),
    required: [...required, chosen],
    additionalProperties,
  }));
  return { ...rest, oneOf: alternatives };
}
