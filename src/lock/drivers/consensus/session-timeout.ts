/**
 * How long a store may be without a leader: requests wait for it so long, and fail at once later. Longer than an election
 * takes (etcd: 1 to 2 s), and shorter than a request waits for a lock (5 s), so that Postgres can still serve it.
 */
export const SESSION_TIMEOUT_MS = 4_000;
