import { connect } from 'node:net';

/** Bytes over a socket, for requests that no HTTP client would send. Answers all that came until the server closed. */
export function sendRaw(
  url: string,
  write: (send: (bytes: string) => void) => void,
  timeoutMs = 60_000,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => write((bytes) => socket.write(bytes)));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('the server kept the connection open'));
    }, timeoutMs);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

export function parseRaw(answer: string): { status: number; head: string; body: any } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head: head.toLowerCase(),
    body: body && JSON.parse(body),
  };
}
