import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnsOf, typesOf } from './entity-columns.js';

@Entity('things')
class Thing {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('char', { length: 3 })
  currency!: string;
  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;
  @Column('bytea')
  secret!: Buffer;
  isOld = false;
}

describe('the columns of an entity', () => {
  it('are named as the schema names them, and answered as the entity does', () => {
    expect(columnsOf(Thing, ['id', 'madeAt'])).toBe('id, made_at AS "madeAt"');
    expect(columnsOf(Thing, ['id', 'madeAt'], 'thing')).toBe('thing.id, thing.made_at AS "madeAt"');
  });

  it('are sent with the types of the schema', () => {
    expect(typesOf(Thing, ['id', 'currency', 'madeAt'])).toEqual({
      id: 'uuid',
      currency: 'text',
      madeAt: 'timestamptz',
    });
    expect(() => typesOf(Thing, ['secret'])).toThrow('bytea');
  });

  it('are columns', () => {
    expect(() => columnsOf(Thing, ['isOld'])).toThrow('Thing.isOld is not a column');
  });
});
