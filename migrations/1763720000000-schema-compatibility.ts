import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time of the newest migration that a release must know to use this schema. A contraction raises it when it drops
 * something that earlier releases use; they then refuse to start, and report that they are not ready.
 */
export class SchemaCompatibility1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schema_compatibility (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        oldest_compatible bigint NOT NULL
      )`);
    await queryRunner.query(`INSERT INTO schema_compatibility (oldest_compatible) VALUES (0)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE schema_compatibility`);
  }
}
