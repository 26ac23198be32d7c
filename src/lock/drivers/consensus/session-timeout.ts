/** The longest that one command may take, and how long ZooKeeper keeps the session of a process that is silent. */
export const SESSION_TIMEOUT_MS = 4_000;
/**
 * How long requests wait for a store without a leader; later they fail at once and the breaker opens. Longer than an
 * election takes (etcd: 1 to 2 s), and shorter than a request waits for a lock (5 s), so that Postgres can still serve it.
 */
export const AWAY_AFTER_MS = 3_000;
