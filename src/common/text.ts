/** Text that PostgreSQL stores: no NUL, and no half of a surrogate pair, which jsonb refuses. */
export const STORABLE = /^[^\0\p{Cs}]*$/u;

/** Storable, and one line: a line break could forge a log entry or a CSV row. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
