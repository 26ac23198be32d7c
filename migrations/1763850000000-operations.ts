import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What operators do, and what they look at. `operator_actions` is the audit trail: its unique index makes a bulk run act once
 * on each subject, whatever crashes. `bulk_runs` are verbs over many subjects, driven by any instance under a lease, with
 * `bulk_items` as the frozen list of what they touch. `instance_samples` are what an instance counted in a few seconds.
 * `invariant_results` are runs of equal results of one check: a check that holds for a month is one row.
 */
export class Operations1763850000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE operator_actions (
        id uuid PRIMARY KEY,
        verb text NOT NULL,
        subject_kind text NOT NULL,
        subject text NOT NULL,
        order_id uuid,
        actor text NOT NULL,
        reason text NOT NULL,
        detail jsonb NOT NULL DEFAULT '{}',
        run_id uuid,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX operator_actions_once_per_run ON operator_actions (run_id, subject) WHERE run_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX operator_actions_by_order ON operator_actions (order_id, id) WHERE order_id IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX operator_actions_by_subject ON operator_actions (subject, id)`);
    await queryRunner.query(`
      CREATE TABLE bulk_runs (
        id uuid PRIMARY KEY,
        action text NOT NULL,
        filter jsonb NOT NULL,
        state text NOT NULL CHECK (state IN ('PLANNED', 'RUNNING', 'STOPPED', 'COMPLETED', 'DISCARDED')),
        per_second double precision NOT NULL CHECK (per_second > 0),
        actor text NOT NULL,
        reason text NOT NULL,
        preview jsonb NOT NULL,
        total integer NOT NULL,
        is_truncated boolean NOT NULL DEFAULT false,
        done integer NOT NULL DEFAULT 0,
        refused integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        stop_reason text,
        owner text,
        epoch integer NOT NULL DEFAULT 0,
        lease_until timestamptz,
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX bulk_runs_running ON bulk_runs (id) WHERE state = 'RUNNING'`);
    await queryRunner.query(`
      CREATE TABLE bulk_items (
        run_id uuid NOT NULL REFERENCES bulk_runs (id) ON DELETE CASCADE,
        position integer NOT NULL,
        subject text NOT NULL,
        order_id uuid,
        state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'BEGUN', 'DONE', 'REFUSED', 'FAILED')),
        result text,
        at timestamptz,
        PRIMARY KEY (run_id, position)
      )`);
    await queryRunner.query(
      `CREATE INDEX bulk_items_open ON bulk_items (run_id, position) WHERE state IN ('PENDING', 'BEGUN')`,
    );
    await queryRunner.query(`
      CREATE TABLE instance_samples (
        instance_id text NOT NULL,
        at timestamptz NOT NULL,
        seconds double precision NOT NULL,
        sample jsonb NOT NULL,
        PRIMARY KEY (at, instance_id)
      )`);
    await queryRunner.query(`
      CREATE TABLE invariant_results (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        is_ok boolean NOT NULL,
        count integer NOT NULL,
        violations jsonb NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        rounds integer NOT NULL DEFAULT 1
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX invariant_results_by_name ON invariant_results (name, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE invariant_results, instance_samples, bulk_items, bulk_runs, operator_actions`);
  }
}
