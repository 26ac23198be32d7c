import { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a seat is, for those who want the best ones, side by side. */
export class SeatPlaces1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE skus ADD COLUMN seat_row text, ADD COLUMN seat_number integer`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE skus DROP COLUMN seat_row, DROP COLUMN seat_number`);
  }
}
