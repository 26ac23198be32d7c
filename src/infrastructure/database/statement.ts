/** SQL that is parsed and planned once per connection. Names are unique per text: pg refuses a name used for another text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}
