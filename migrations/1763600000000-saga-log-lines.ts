import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log of a saga as JSON lines. To add to a text is to copy it; to add to a JSON list was to parse all of it, which was
 * a quarter of what the last write of a saga cost. The column has a new name, so that an instance of the version before,
 * which may still run, fails and hands its sagas over rather than write what nobody can read.
 *
 * Rows stay whole up to a page: to compress those of orders with more than two or three lines, twice per checkout, costs more
 * than it saves, as they are read at once or not at all.
 */
export class SagaLogLines1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sagas ADD COLUMN log_lines text NOT NULL DEFAULT ''`);
    await queryRunner.query(`
      UPDATE sagas SET log_lines = (SELECT coalesce(string_agg(entry::jsonb::text || E'\\n', '' ORDER BY at), '')
        FROM json_array_elements(log) WITH ORDINALITY AS line (entry, at))`);
    await queryRunner.query(`ALTER TABLE sagas DROP COLUMN log, SET (toast_tuple_target = 8160)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sagas ADD COLUMN log json, RESET (toast_tuple_target)`);
    await queryRunner.query(
      `UPDATE sagas SET log = ('[' || replace(rtrim(log_lines, E'\\n'), E'\\n', ',') || ']')::json`,
    );
    await queryRunner.query(`ALTER TABLE sagas ALTER COLUMN log SET NOT NULL, DROP COLUMN log_lines`);
  }
}
