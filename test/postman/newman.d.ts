/** The little of newman that is used here; it has no types of its own. */
declare module 'newman' {
  namespace newman {
  interface Response {
    readonly code: number;
    readonly status: string;
    readonly headers: { readonly members: readonly { readonly key: string; readonly value: string }[] };
    text(): string;
  }
  interface Failure {
    readonly error: { readonly name: string; readonly message: string };
    readonly source?: { readonly name: string };
    readonly parent?: { readonly name: string };
  }
  interface Stat {
    readonly total: number;
    readonly failed: number;
  }
  interface Summary {
    readonly run: {
      readonly stats: { readonly requests: Stat; readonly assertions: Stat };
      readonly failures: readonly Failure[];
      readonly timings: { readonly completed: number; readonly started: number; readonly responseAverage: number };
    };
  }
  interface Run {
    on(
      event: 'request',
      listener: (error: Error | null, args: { item: { id: string; name: string }; response?: Response }) => void,
    ): Run;
  }
  function run(
    options: {
      collection: object;
      envVar: { key: string; value: string }[];
      reporters?: string[];
      timeoutRequest?: number;
    },
    done: (error: Error | null, summary: Summary) => void,
  ): Run;
  }
  export = newman;
}
