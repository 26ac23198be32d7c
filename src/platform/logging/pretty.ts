import pinoPretty from 'pino-pretty';

/** For people: a terminal gets one readable line per entry, everything else gets JSON. */
export function pretty(): NodeJS.WritableStream {
  return pinoPretty({ colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname,instance', singleLine: true });
}
