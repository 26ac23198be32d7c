import { pino, Logger } from 'pino';
import { describeError } from './describe-error.js';
import { pretty } from './pretty.js';
import { withoutSecrets } from './redaction.js';

export function createLogger(level: string, instanceId: string): Logger {
  return pino(
    {
      level,
      base: { instance: instanceId },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: describeError, error: describeError },
    },
    process.stdout.isTTY ? pretty() : pino.destination({ fd: 1, sync: false }),
  );
}
