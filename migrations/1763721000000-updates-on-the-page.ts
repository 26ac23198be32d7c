import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An update stays on its page without new index entries (HOT) if it changes no column of any index or predicate and the
 * page has room. Selling a held reservation changed `state`, which both partial indexes of reservations name. Two
 * columns replace it in later indexes, and a checkout that sells its hold changes neither: `sweep_at` is the end of a
 * hold that may expire (held, and not pinned by a saga), `ended_at` the time at which a hold was released or expired.
 * The trigger maintains them for every writer, including the previous release. For a checkout there is nothing to
 * correct, so it costs only the comparison. A batch updates all rows of a page at once, when the old versions cannot be
 * removed yet: half of each page stays free.
 */
export class UpdatesOnThePage1763721000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE reservations ADD COLUMN sweep_at timestamptz, ADD COLUMN ended_at timestamptz, SET (fillfactor = 50)`,
    );
    await queryRunner.query(`
      CREATE FUNCTION reservation_times() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.sweep_at := CASE WHEN NEW.state = 'HELD' AND NEW.pinned_by IS NULL THEN NEW.expires_at END;
        NEW.ended_at := CASE WHEN NEW.state IN ('RELEASED', 'EXPIRED') THEN coalesce(NEW.ended_at, NEW.updated_at) END;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER reservation_times BEFORE INSERT OR UPDATE ON reservations FOR EACH ROW
      WHEN (NEW.sweep_at IS DISTINCT FROM CASE WHEN NEW.state = 'HELD' AND NEW.pinned_by IS NULL THEN NEW.expires_at END
        OR (NEW.ended_at IS NOT NULL) <> (NEW.state IN ('RELEASED', 'EXPIRED')))
      EXECUTE FUNCTION reservation_times()`);
    await queryRunner.query(`ALTER TABLE orders SET (fillfactor = 50)`);
    await queryRunner.query(`ALTER TABLE payments SET (fillfactor = 45)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE payments SET (fillfactor = 80)`);
    await queryRunner.query(`ALTER TABLE orders SET (fillfactor = 80)`);
    await queryRunner.query(`DROP TRIGGER reservation_times ON reservations`);
    await queryRunner.query(`DROP FUNCTION reservation_times()`);
    await queryRunner.query(
      `ALTER TABLE reservations DROP COLUMN sweep_at, DROP COLUMN ended_at, SET (fillfactor = 80)`,
    );
  }
}
