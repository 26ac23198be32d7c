import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which sagas are open, and when they are due, is a short queue with one row per batch, like that of the outbox. An
 * index of `sagas` would need columns that change when a saga ends, so that every checkout would write all index
 * entries of its saga a second time (not HOT). Invariant: an open saga is in a row that is due no later than the saga.
 * A statement that removes a row which names an open saga adds the saga to another row. The triggers maintain the rest
 * for every writer, including the previous release; they do nothing for an ordinary save, which only postpones the due
 * time.
 */
export class SagaWatch1763721100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE saga_watch (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        due_at timestamptz NOT NULL,
        saga_ids uuid[] NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
    await queryRunner.query(`CREATE INDEX saga_watch_due ON saga_watch (due_at)`);
    await queryRunner.query(`
      CREATE FUNCTION watch_new_sagas() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO saga_watch (due_at, saga_ids)
        SELECT min(due_at), array_agg(id) FROM added WHERE ${isOpen('state')} HAVING count(*) > 0;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION watch_saga() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO saga_watch (due_at, saga_ids) VALUES (NEW.due_at, ARRAY[NEW.id]);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER watch_new_sagas AFTER INSERT ON sagas REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION watch_new_sagas()`);
    await queryRunner.query(`
      CREATE TRIGGER watch_saga AFTER UPDATE ON sagas FOR EACH ROW
      WHEN (${isDriven('NEW.state')} AND (NEW.due_at < OLD.due_at OR NOT ${isDriven('OLD.state')}))
      EXECUTE FUNCTION watch_saga()`);
    await queryRunner.query(`
      INSERT INTO saga_watch (due_at, saga_ids)
      SELECT due_at, array_agg(id) FROM sagas WHERE ${isOpen('state')} GROUP BY due_at`);
    await queryRunner.query(`ALTER TABLE sagas SET (fillfactor = 40)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sagas SET (fillfactor = 70)`);
    await queryRunner.query(`DROP TRIGGER watch_saga ON sagas`);
    await queryRunner.query(`DROP TRIGGER watch_new_sagas ON sagas`);
    await queryRunner.query(`DROP FUNCTION watch_saga()`);
    await queryRunner.query(`DROP FUNCTION watch_new_sagas()`);
    await queryRunner.query(`DROP TABLE saga_watch`);
  }
}

function isOpen(state: string): string {
  return `${state} IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')`;
}

/** A saga that is STUCK is open, but waits for a person and not for a time. */
function isDriven(state: string): string {
  return `(${state} IN ('RUNNING', 'WAITING', 'COMPENSATING'))`;
}
