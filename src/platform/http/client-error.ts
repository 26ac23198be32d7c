import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../common/domain-error.js';
import { PROBLEMS, toProblem } from './problem.js';

const BY_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The request line and headers exceed the limit'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time'],
};

/**
 * How long a client may take to read the refusal. A client that never closes its side would otherwise keep the socket
 * for ever.
 */
const LINGER_MS = 1_000;

/**
 * Requests that Node refuses before they reach us (unreadable, oversized or too slow) are answered with a problem
 * document too.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, detail] = BY_CODE[error.code ?? ''] ?? ['VALIDATION_FAILED', 'The request is not readable as HTTP'];
  const { status } = PROBLEMS[code];
  const body = JSON.stringify(toProblem(code, detail));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
