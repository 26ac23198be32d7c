import { MigrationInterface, QueryRunner } from 'typeorm';

export class Erasures1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE erasures (
        id uuid PRIMARY KEY,
        customer_hash text NOT NULL,
        actor text NOT NULL,
        reason text NOT NULL,
        orders integer NOT NULL,
        reservations integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE erasures`);
  }
}
