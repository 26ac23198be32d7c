import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A checkout's writes, with less parsing. The log of a saga becomes JSON lines: appending to a text copies it,
 * appending to a JSON list parsed all of it. The column has a new name, so that an instance of the previous version,
 * which may still run, fails and hands its sagas over instead of writing what nobody can read. Rows are not compressed
 * up to the size of a page: compressing those of larger orders, twice per checkout, costs more than it saves. An
 * event's payload is only read as a whole, so it is json rather than jsonb.
 */
export class CheaperRows1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sagas ADD COLUMN log_lines text NOT NULL DEFAULT ''`);
    await queryRunner.query(`
      UPDATE sagas SET log_lines = (SELECT coalesce(string_agg(entry::jsonb::text || E'\\n', '' ORDER BY at), '')
        FROM json_array_elements(log) WITH ORDINALITY AS line (entry, at))`);
    await queryRunner.query(`ALTER TABLE sagas DROP COLUMN log, SET (toast_tuple_target = 8160)`);
    await queryRunner.query(`ALTER TABLE outbox ALTER COLUMN payload TYPE json`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox ALTER COLUMN payload TYPE jsonb`);
    await queryRunner.query(`ALTER TABLE sagas ADD COLUMN log json, RESET (toast_tuple_target)`);
    await queryRunner.query(
      `UPDATE sagas SET log = ('[' || replace(rtrim(log_lines, E'\\n'), E'\\n', ',') || ']')::json`,
    );
    await queryRunner.query(`ALTER TABLE sagas ALTER COLUMN log SET NOT NULL, DROP COLUMN log_lines`);
  }
}
