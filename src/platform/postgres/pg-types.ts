import pg from 'pg';

/** Amounts, counts and fencing tokens (µs since 1970) all stay below 2^53, so bigint columns read as numbers. */
export function readBigintsAsNumbers(): void {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
}
