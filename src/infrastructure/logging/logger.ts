import { pino, Logger } from 'pino';
import { pretty } from './pretty.js';
import { requestContext } from './request-context.js';

/** Secrets and payment details never reach a log, whoever logs the object that carries them. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accessToken',
  'apiKey',
  'method.token',
  'payment',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.secret',
  '*.token',
  '*.accessToken',
  '*.apiKey',
  '*.payment',
  'headers["x-api-key"]',
  'headers["x-access-token"]',
  '*.headers["x-api-key"]',
  '*.headers["x-access-token"]',
  '*.headers.authorization',
];

export function createLogger(level: string, instanceId: string): Logger {
  return pino(
    {
      level,
      base: { instance: instanceId },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => requestContext.getStore() ?? {},
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    process.stdout.isTTY ? pretty() : pino.destination({ fd: 1, sync: false }),
  );
}
