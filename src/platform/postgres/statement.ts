/** SQL that is parsed and planned once per connection. Names are unique per text: pg refuses a name used for another text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * The cursor of a first page, newest first: above every id. It is a value, so that the index scan starts at the cursor.
 */
export const FROM_NEWEST = `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

/** States as a list of SQL literals, for `state IN (…)`: they are constants of ours, from a transition table. */
export function literals(states: readonly string[]): string {
  return states.map((state) => `'${state}'`).join(', ');
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}

/**
 * A statement that fails its transaction unless it touches exactly as many rows as the parameter says. The server
 * counts, so that the COMMIT can be sent with it: checking the rows here would cost a round trip.
 */
export function expectingRows(name: string, count: `$${number}`, text: string): Statement {
  return { name, text: `WITH landed AS (${text} RETURNING 1) SELECT expect_rows(count(*), ${count}) FROM landed` };
}
