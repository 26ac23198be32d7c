import pg from 'pg';

const INT8 = 20;

/** Amounts, counts and fencing tokens (µs since 1970) all stay below 2^53, so bigint columns read as numbers. */
export function readBigintsAsNumbers(): void {
  pg.types.setTypeParser(INT8, Number);
}
