import { parseArgs } from 'node:util';

export const PARTS = ['floor', 'ceiling', 'spread', 'hot', 'embedded', 'naive', 'rivals', 'sellout'] as const;
export type Part = (typeof PARTS)[number];

export interface BenchOptions {
  readonly parts: ReadonlySet<Part>;
  readonly connections: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly warmupSeconds: number;
  readonly isQuick: boolean;
  readonly isProfiled: boolean;
  /** How many busy loops run beside it. */
  readonly busy: number;
  readonly name: string;
}

const HELP = `npm run bench -- [options]
  --quick               short durations, 1 and 64 connections, one shape of the floor (for CI)
  --only spread,floor   some of: ${PARTS.join(', ')}
  --connections 1,16    instead of 1,16,64,200
  --seconds N           measured time of each run (2)
  --rounds N            the systems take turns this many times, and the median counts (3)
  --busy                beside two endless loops, because machines are shared
  --profile             the service under --cpu-prof; prints where its time goes, and the top statements
  --name NAME           results go to bench/results, as NAME.json (latest)
`;

export function parseOptions(argv: string[]): BenchOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      connections: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      busy: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      name: { type: 'string', default: 'latest' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const only = values.only ?? (values.profile ? 'spread,hot' : undefined);
  const seconds = values.seconds === undefined ? (values.quick ? 1.5 : 2) : Number(values.seconds);
  return {
    parts: new Set(only === undefined ? PARTS : only.split(',').map(partOf)),
    connections: values.connections?.split(',').map(Number) ?? (values.quick ? [1, 64] : [1, 16, 64, 200]),
    seconds,
    rounds: Number(values.rounds ?? (values.quick || values.profile ? 1 : 3)),
    warmupSeconds: Math.min(2, seconds / 2),
    isQuick: values.quick,
    isProfiled: values.profile,
    busy: values.busy ? 2 : 0,
    name: values.name,
  };
}

function partOf(text: string): Part {
  const part = PARTS.find((known) => known === text.trim());
  if (!part) throw new Error(`--only takes some of ${PARTS.join(',')}, not ${text}`);
  return part;
}
