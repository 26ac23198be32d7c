import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { AddressPolicy } from './address-policy.js';
import { WebhookSender } from './webhook-sender.js';

/** Only ends what would never end. */
const PATIENT_MS = 60_000;
const SHORT_MS = 500;

describe('posting to servers that speak no or strange HTTP', () => {
  const sender = new WebhookSender(new AddressPolicy(['127.0.0.1']));
  const sockets = new Set<Socket>();
  let server: Server;
  let url: string;
  let answer: (socket: Socket) => void;
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    sender.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const send = (timeoutMs = PATIENT_MS) =>
    sender.send({ url, headers: {}, body: '{}' }, AbortSignal.timeout(timeoutMs));

  it('does not wait for ever for one that switches protocols', async () => {
    answer = (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    await expect(send()).resolves.toMatchObject({ status: 101 });
  });

  it.each([
    ['closes', (socket: Socket) => socket.end()],
    ['says nothing', () => undefined],
    ['hints and says nothing', (socket: Socket) => socket.write('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n')],
    ['speaks something else', (socket: Socket) => socket.write('220 mail.example ESMTP\r\n')],
    [
      'has too much to say',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\nz: 1\r\n\r\n`),
    ],
  ])('fails for one that %s', async (_, behaviour) => {
    answer = behaviour;
    await expect(send(SHORT_MS)).rejects.toThrow();
  });

  it('hangs up on one that takes its time after the status', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
        const drip = setInterval(() => socket.write('.'), 100);
        socket.once('close', () => {
          clearInterval(drip);
          resolve();
        });
      };
    });
    await expect(send()).resolves.toMatchObject({ status: 200 });
    await closed;
  });

  it('connects to the address that was checked, and does not ask for the name again', async () => {
    const { port } = server.address() as AddressInfo;
    const asked: string[] = [];
    const policy = new AddressPolicy([`nowhere.invalid:${port}`], (host) => {
      asked.push(host);
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    });
    const pinned = new WebhookSender(policy);
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const message = { url: `http://nowhere.invalid:${port}/`, headers: {}, body: '{}' };
    await expect(pinned.send(message, AbortSignal.timeout(PATIENT_MS))).resolves.toMatchObject({ status: 200 });
    expect(asked).toEqual(['nowhere.invalid']);
    pinned.close();
  });

  it('believes the status, whatever becomes of the rest', async () => {
    answer = (socket) => {
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      socket.destroySoon();
    };
    await expect(send()).resolves.toMatchObject({ status: 204 });
  });
});
