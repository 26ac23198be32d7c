import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The store of the postgres lock driver. UNLOGGED: a commit waits for no fsync, and a crash of the database frees all
 * locks, as a restart of Redis does; tokens still rise, because they are never below the clock. `owner` is an owner,
 * '-' when free, or '~<waiter>' while the row is reserved for a waiter whose turn it is. A waiter is '<since in µs, 16
 * digits> <owner>', so that text order is age. Functions, because all-or-nothing over several rows needs a check under
 * row locks before the write, and must still be one statement: that is one round trip, and all that PgBouncer in
 * transaction mode allows.
 */
export class LockLeases1763200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE lock_leases (
        key text COLLATE "C" PRIMARY KEY,
        owner text NOT NULL,
        token bigint NOT NULL,
        acquired_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        waiting text[] NOT NULL DEFAULT '{}'
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await queryRunner.query(WAKE);
    await queryRunner.query(ACQUIRE);
    await queryRunner.query(RENEW);
    await queryRunner.query(RELEASE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION lock_release(text[], text, bigint, bigint, integer)`);
    await queryRunner.query(`DROP FUNCTION lock_renew(text[], text, bigint, integer)`);
    await queryRunner.query(`DROP FUNCTION lock_acquire(text[], text, integer, bigint, integer, bigint, integer)`);
    await queryRunner.query(`DROP FUNCTION lock_wake(text, text)`);
    await queryRunner.query(`DROP TABLE lock_leases`);
  }
}

/** Tells the process of an owner; its channel is named after it. */
const WAKE = `
CREATE FUNCTION lock_wake(p_owner text, p_message text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('lock_wake_' || split_part(p_owner, '.', 1), p_message)
$$`;

/**
 * p_since: µs at which the request began to wait, 0 if not yet, -1 if it will not. A row that appears between the look
 * and the write is a serialization failure: nothing is written, and the driver tries again.
 */
const ACQUIRE = `
CREATE FUNCTION lock_acquire(p_keys text[], p_owner text, p_lease_ms integer, p_floor bigint, p_spare integer,
                             p_since bigint, p_grace_ms integer)
RETURNS TABLE (granted bigint, since bigint, retry_ms integer, blocked text[], contended boolean)
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  v_since bigint := p_since;
  v_me text := lpad(greatest(p_since, 0)::text, 16, '0') || ' ' || p_owner;
  v_now timestamptz;
  v_last bigint;
  v_blocked text[];
  v_free_at timestamptz;
  v_token bigint;
  v_written integer;
  v_contended boolean;
  v_told text[];
BEGIN
  SELECT max(l.token),
         array_agg(l.key) FILTER (WHERE l.is_busy),
         min(l.expires_at) FILTER (WHERE l.is_busy)
    INTO v_last, v_blocked, v_free_at
    FROM (SELECT s.key, s.token, s.expires_at,
                 s.expires_at > clock_timestamp() AND s.owner <> p_owner
                   -- An older waiter takes over a younger one's reservation: nobody waits in a circle.
                   AND NOT (p_since > 0 AND s.owner LIKE '~%' AND substr(s.owner, 2) >= v_me) AS is_busy
            FROM lock_leases s WHERE s.key = ANY (p_keys) ORDER BY s.key FOR UPDATE) l;
  v_now := clock_timestamp();

  IF v_blocked IS NOT NULL THEN
    IF p_since >= 0 THEN
      IF p_since = 0 THEN
        v_since := (extract(epoch FROM v_now) * 1000000)::bigint;
        v_me := lpad(v_since::text, 16, '0') || ' ' || p_owner;
      END IF;
      UPDATE lock_leases l SET expires_at = v_now + p_grace_ms * interval '1 ms'
       WHERE l.key = ANY (p_keys) AND l.owner = '~' || v_me;
      -- The first waiter tells the holder, which would otherwise go on serving its own process.
      WITH joined AS (
        UPDATE lock_leases l SET waiting = l.waiting || v_me
         WHERE l.key = ANY (v_blocked) AND NOT (v_me = ANY (l.waiting)) RETURNING l.owner, cardinality(l.waiting) AS size)
      SELECT array_agg(DISTINCT j.owner) INTO v_told FROM joined j WHERE j.size = 1 AND j.owner NOT LIKE '~%';
      IF v_told IS NOT NULL THEN
        PERFORM lock_wake(o, '!' || o) FROM unnest(v_told) AS o;
      END IF;
    END IF;
    RETURN QUERY SELECT NULL::bigint, v_since,
      greatest(1, ceil(extract(epoch FROM v_free_at - v_now) * 1000)::integer + 1), v_blocked, true;
    RETURN;
  END IF;

  v_token := greatest(v_last + 1, p_floor, (extract(epoch FROM v_now) * 1000000)::bigint);
  WITH taken AS (
  INSERT INTO lock_leases AS l (key, owner, token, acquired_at, expires_at)
  SELECT k, p_owner, v_token + p_spare, v_now, v_now + p_lease_ms * interval '1 ms'
    FROM unnest(p_keys) AS k ORDER BY k COLLATE "C"
  ON CONFLICT (key) DO UPDATE
     SET owner = excluded.owner, token = excluded.token, acquired_at = excluded.acquired_at,
         expires_at = excluded.expires_at,
         waiting = CASE
           WHEN l.owner LIKE '~%' AND l.owner <> '~' || v_me AND l.expires_at > v_now
             THEN array_remove(l.waiting, v_me) || substr(l.owner, 2)
           WHEN l.waiting = '{}' THEN l.waiting
           ELSE array_remove(l.waiting, v_me) END
   WHERE l.expires_at <= v_now OR l.owner = p_owner
      OR (p_since > 0 AND l.owner LIKE '~%' AND substr(l.owner, 2) >= v_me)
  RETURNING l.waiting)
  SELECT count(*), bool_or(t.waiting <> '{}') INTO v_written, v_contended FROM taken t;
  IF v_written < cardinality(p_keys) THEN
    RAISE EXCEPTION 'a lock was taken at the same moment' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN QUERY SELECT v_token, 0::bigint, 0, NULL::text[], v_contended;
END $$`;

/** 0 lost, 1 renewed, 2 renewed and somebody waits. */
const RENEW = `
CREATE FUNCTION lock_renew(p_keys text[], p_owner text, p_token bigint, p_lease_ms integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  v_held integer;
  v_has_waiters boolean;
BEGIN
  SELECT count(*), bool_or(l.waiting <> '{}') INTO v_held, v_has_waiters
    FROM (SELECT s.waiting FROM lock_leases s
           WHERE s.key = ANY (p_keys) AND s.owner = p_owner ORDER BY s.key FOR UPDATE) l;
  IF v_held < cardinality(p_keys) THEN
    RETURN 0;
  END IF;
  UPDATE lock_leases l
     SET expires_at = clock_timestamp() + p_lease_ms * interval '1 ms', token = greatest(l.token, p_token)
   WHERE l.key = ANY (p_keys);
  RETURN CASE WHEN v_has_waiters THEN 2 ELSE 1 END;
END $$`;

/**
 * Gives back what the owner holds or has reserved, each row to the oldest of its waiters for a short grace, and leaves
 * the queues. Rows of somebody else stay as they are, so a late release never frees the successor.
 */
const RELEASE = `
CREATE FUNCTION lock_release(p_keys text[], p_owner text, p_token bigint, p_since bigint, p_grace_ms integer)
RETURNS integer LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  v_me text := lpad(greatest(p_since, 0)::text, 16, '0') || ' ' || p_owner;
  v_now timestamptz;
  v_released integer;
  v_waiters text[];
BEGIN
  PERFORM 1 FROM lock_leases s
    WHERE s.key = ANY (p_keys) AND (s.owner = p_owner OR (p_since > 0 AND (s.owner = '~' || v_me OR v_me = ANY (s.waiting))))
    ORDER BY s.key FOR UPDATE;
  v_now := clock_timestamp();
  IF p_since > 0 THEN
    UPDATE lock_leases l SET waiting = array_remove(l.waiting, v_me) WHERE l.key = ANY (p_keys) AND v_me = ANY (l.waiting);
  END IF;
  WITH given AS (
    UPDATE lock_leases l
       SET token = CASE WHEN l.owner = p_owner AND p_token > 0 THEN p_token ELSE l.token END,
           owner = coalesce('~' || h.head, '-'),
           expires_at = CASE WHEN h.head IS NULL THEN v_now ELSE v_now + p_grace_ms * interval '1 ms' END,
           waiting = CASE WHEN h.head IS NULL THEN l.waiting ELSE array_remove(l.waiting, h.head) END
      FROM (SELECT s.key, (SELECT min(w) FROM unnest(s.waiting) AS w) AS head
              FROM lock_leases s
             WHERE s.key = ANY (p_keys) AND (s.owner = p_owner OR (p_since > 0 AND s.owner = '~' || v_me))) h
     WHERE l.key = h.key
    RETURNING h.head)
  SELECT count(*), array_agg(DISTINCT g.head) FILTER (WHERE g.head IS NOT NULL) INTO v_released, v_waiters FROM given g;
  IF v_waiters IS NOT NULL THEN
    PERFORM lock_wake(split_part(w, ' ', 2), split_part(w, ' ', 2)) FROM unnest(v_waiters) AS w;
  END IF;
  RETURN v_released;
END $$`;
