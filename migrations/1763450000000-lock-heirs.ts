import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * lock_acquire takes over what a process held whose heir the request is (ADR 0002, "Heirs"). The parameter has a default,
 * so that instances of the version before, which do not send it, go on working while this one is rolled out.
 */
export class LockHeirs1763450000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION lock_acquire(text[], text, integer, bigint, integer, bigint, integer)`);
    await queryRunner.query(
      acquire(`, p_heir_of text DEFAULT ''`, (owner) => `split_part(${owner}, '.', 1) = ANY (v_bequeathed)`),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP FUNCTION lock_acquire(text[], text, integer, bigint, integer, bigint, integer, text)`,
    );
    await queryRunner.query(acquire('', () => 'false'));
  }
}

/**
 * As in 1763200000000-lock-leases, but for the heirs. p_since: µs at which the request began to wait, 0 if not yet, -1 if
 * it will not. A row that appears between the look and the write is a serialization failure: nothing is written, and
 * the driver tries again.
 */
function acquire(parameter: string, isBequeathed: (owner: string) => string): string {
  return `
CREATE FUNCTION lock_acquire(p_keys text[], p_owner text, p_lease_ms integer, p_floor bigint, p_spare integer,
                             p_since bigint, p_grace_ms integer${parameter})
RETURNS TABLE (granted bigint, since bigint, retry_ms integer, blocked text[], contended boolean)
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  v_bequeathed text[] := ${parameter ? `string_to_array(p_heir_of, ' ')` : 'NULL'};
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
                 s.expires_at > clock_timestamp() AND s.owner <> p_owner AND NOT (${isBequeathed('s.owner')})
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
   WHERE l.expires_at <= v_now OR l.owner = p_owner OR ${isBequeathed('l.owner')}
      OR (p_since > 0 AND l.owner LIKE '~%' AND substr(l.owner, 2) >= v_me)
  RETURNING l.waiting)
  SELECT count(*), bool_or(t.waiting <> '{}') INTO v_written, v_contended FROM taken t;
  IF v_written < cardinality(p_keys) THEN
    RAISE EXCEPTION 'a lock was taken at the same moment' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN QUERY SELECT v_token, 0::bigint, 0, NULL::text[], v_contended;
END $$`;
}
