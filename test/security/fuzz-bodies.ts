import { JsonSchema } from './api-routes.js';

/** mulberry32: a run can be repeated by its seed. */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

/** Values that have broken somebody's parser, database or page before. */
export const NASTY: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  'x'.repeat(10_000),
  'nul\0byte',
  'line\r\nbreak: 1',
  'half \ud800 pair',
  '\u202e\u0000\uffff',
  '💥'.repeat(60),
  "'; DROP TABLE orders; --",
  '{{7*7}}${7*7}<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%0a%s%n',
  'constructor',
  '__proto__',
  '1e999',
  '2026-02-30T25:61:61Z',
  'NaN',
  -1,
  0,
  0.5,
  1e308,
  -0,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { toString: 'x', valueOf: 1 },
  Array.from({ length: 2_000 }, () => 0),
];

/** A body that the schema allows. */
export function sampleOf(schema: JsonSchema, dice: Dice): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['enum']) return dice.pick(schema['enum'] as unknown[]);
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (options) return sampleOf(dice.pick(options), dice);
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return sampleObject(schema, dice);
    case 'array':
      return Array.from({ length: Math.max(1, schema['minItems'] ?? 1) }, () => sampleOf(schema['items'] ?? {}, dice));
    case 'integer':
    case 'number':
      return Math.max(schema['minimum'] ?? 1, Math.min(schema['maximum'] ?? 5, 1 + dice.below(5)));
    case 'boolean':
      return dice.next() < 0.5;
    case 'null':
      return null;
    default:
      return sampleString(schema);
  }
}

function sampleObject(schema: JsonSchema, dice: Dice): Record<string, unknown> {
  const required = new Set<string>(schema['required'] ?? []);
  const members = Object.entries<JsonSchema>(schema['properties'] ?? {}).filter(
    ([name]) => required.has(name) || dice.next() < 0.7,
  );
  return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member, dice)]));
}

function sampleString(schema: JsonSchema): string {
  if (schema['format'] === 'email') return 'ada@example.com';
  if (schema['format'] === 'uuid') return '0198c0de-0000-7000-8000-000000000000';
  if (schema['format'] === 'uri') return 'https://shop.example/hook';
  if (schema['pattern'] === '^[A-Z]{3}$') return 'EUR';
  return 'mug';
}

/** One thing about the value is changed: a member lost, added or replaced, a number moved, a text spoilt. */
export function mutate(value: unknown, dice: Dice): unknown {
  if (dice.next() < 0.1) return dice.pick(NASTY);
  if (Array.isArray(value)) return mutateArray(value, dice);
  if (typeof value === 'object' && value !== null) return mutateObject(value as Record<string, unknown>, dice);
  if (typeof value === 'number') return dice.pick([-value, value + 0.5, value * 1e15, String(value), ...NASTY]);
  if (typeof value === 'string') return dice.pick([`${value}\0`, `${value}\ud800`, value.repeat(5_000), ...NASTY]);
  return dice.pick(NASTY);
}

function mutateArray(value: readonly unknown[], dice: Dice): unknown {
  const at = dice.below(value.length);
  return dice.pick([
    () => value.map((item, index) => (index === at ? mutate(item, dice) : item)),
    () => [],
    () => [...value, dice.pick(NASTY)],
    () => Array.from({ length: 150 }, () => value[0]),
  ])();
}

function mutateObject(value: Record<string, unknown>, dice: Dice): unknown {
  const names = Object.keys(value);
  const name = names.length > 0 ? dice.pick(names) : 'extra';
  return dice.pick([
    () => ({ ...value, [name]: mutate(value[name], dice) }),
    () => ({ ...value, [name]: mutate(value[name], dice) }),
    () => ({ ...value, [name]: dice.pick(NASTY) }),
    () => Object.fromEntries(Object.entries(value).filter(([member]) => member !== name)),
    () => ({ ...value, [`extra${dice.below(10)}`]: dice.pick(NASTY) }),
    () => ({ ...value, [name.toUpperCase()]: value[name] }),
  ])();
}

/** Texts that are no JSON, or JSON with a trap. */
export const BROKEN: readonly string[] = [
  '',
  '{',
  'null',
  'undefined',
  '{"a":1,}',
  '{"a":NaN}',
  '"\\ud800"',
  '\u0000',
  '{"__proto__":{"isAdmin":true}}',
  '{"a":{"__proto__":null}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":${'9'.repeat(5_000)}}`,
  '\ufeff{}',
  '<xml/>',
  'a=b&c=d',
];
