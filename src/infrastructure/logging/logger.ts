import { pino, Logger } from 'pino';
import { describeError } from './describe-error.js';
import { pretty } from './pretty.js';
import { withoutSecrets } from './redaction.js';
import { requestContext } from './request-context.js';

export function createLogger(level: string, instanceId: string): Logger {
  return pino(
    {
      level,
      base: { instance: instanceId },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      // A copy: pino writes the line's own fields into what it gets here, and the next line would repeat them.
      mixin: () => ({ ...requestContext.getStore() }),
      serializers: { err: describeError, error: describeError },
    },
    process.stdout.isTTY ? pretty() : pino.destination({ fd: 1, sync: false }),
  );
}
