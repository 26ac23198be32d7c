import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnType, ColumnTypes } from './rows.js';

type Class<E> = abstract new () => E;
type Member<E> = keyof E & string;

/** The type of an entity's column as a statement over rows names it. */
const WIRE_TYPES: Readonly<Record<string, ColumnType>> = {
  uuid: 'uuid',
  text: 'text',
  char: 'text',
  integer: 'int',
  bigint: 'bigint',
  boolean: 'boolean',
  timestamptz: 'timestamptz',
  json: 'json',
  jsonb: 'jsonb',
};

/**
 * Columns of hand-written SQL, as the entity describes them: `order_id AS "orderId"`. With `Pick<Entity, …>` as the
 * type of the row, the entity is the only description of a column, and a test compares it with the migrated schema.
 */
export function columnsOf<E>(entity: Class<E>, members: readonly Member<E>[], table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  return members
    .map((member) => {
      const { name } = describe(entity, member);
      return name === member ? `${prefix}${name}` : `${prefix}${name} AS "${member}"`;
    })
    .join(', ');
}

/** The same columns as the parameters of `overRows`. */
export function typesOf<E, M extends Member<E>>(
  entity: Class<E>,
  members: readonly M[],
): ColumnTypes<Pick<E, M>> & Record<M, ColumnType> {
  return Object.fromEntries(members.map((member) => [member, wireTypeOf(entity, member)])) as Record<M, ColumnType>;
}

function wireTypeOf<E>(entity: Class<E>, member: Member<E>): ColumnType {
  const { type } = describe(entity, member);
  const wireType = WIRE_TYPES[type];
  if (!wireType) throw new Error(`${entity.name}.${member}: a list of ${type} cannot be a parameter`);
  return wireType;
}

function describe<E>(entity: Class<E>, member: Member<E>): { readonly name: string; readonly type: string } {
  const column = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => target === entity && propertyName === member,
  );
  if (!column) throw new Error(`${entity.name}.${member} is not a column`);
  return { name: column.options.name ?? member, type: String(column.options.type) };
}
