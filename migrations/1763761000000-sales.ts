import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A sale, its queue and who did what to it. The state of a ticket is not stored: it follows from its place, from how far the
 * sale has admitted, from its times and from the reservation that it was used for.
 */
export class Sales1763761000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sales (
        id text PRIMARY KEY,
        sku_group text,
        skus text[],
        starts_at timestamptz NOT NULL,
        ends_at timestamptz,
        admit_per_second double precision NOT NULL CHECK (admit_per_second > 0),
        max_active integer NOT NULL CHECK (max_active > 0),
        ticket_ttl_seconds integer NOT NULL CHECK (ticket_ttl_seconds > 0),
        seed text NOT NULL,
        paused_at timestamptz,
        ended_at timestamptz,
        sold_out_at timestamptz,
        drawn_at timestamptz,
        advanced_at timestamptz,
        round_at timestamptz,
        issued integer NOT NULL DEFAULT 0,
        admitted integer NOT NULL DEFAULT 0,
        active integer NOT NULL DEFAULT 0,
        bought integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT sales_of_something CHECK ((sku_group IS NULL) <> (skus IS NULL)),
        CONSTRAINT sales_admitted CHECK (0 <= admitted AND admitted <= issued)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX sales_open ON sales (starts_at) WHERE ended_at IS NULL`);
    await queryRunner.query(`
      CREATE TABLE sale_tickets (
        id uuid PRIMARY KEY,
        sale_id text NOT NULL REFERENCES sales (id),
        arrival integer NOT NULL,
        place integer,
        customer_id text,
        email text,
        admitted_at timestamptz,
        admitted_until timestamptz,
        reservation_id uuid,
        bought_at timestamptz,
        created_at timestamptz NOT NULL
      ) WITH (fillfactor = 70)`);
    await queryRunner.query(`CREATE UNIQUE INDEX sale_tickets_by_place ON sale_tickets (sale_id, place)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX sale_tickets_by_customer ON sale_tickets (sale_id, customer_id) WHERE customer_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX sale_tickets_by_email ON sale_tickets (sale_id, email) WHERE email IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX sale_tickets_open ON sale_tickets (sale_id, admitted_until) WHERE admitted_at IS NOT NULL AND bought_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX sale_tickets_by_reservation ON sale_tickets (reservation_id) WHERE reservation_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE TABLE sale_audit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        sale_id text NOT NULL REFERENCES sales (id),
        verb text NOT NULL,
        actor text NOT NULL,
        detail jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX sale_audit_by_sale ON sale_audit (sale_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sale_audit, sale_tickets, sales`);
  }
}
