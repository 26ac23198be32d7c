import { once } from 'node:events';
import net from 'node:net';

/** A wire that can be slow or cut, in front of a server that may come back on another port. */
export class TcpProxy {
  /** Delays what the server answers. */
  replyDelayMs = 0;
  /** Sees what the server answers. */
  onReply: (chunk: Buffer) => void = () => undefined;
  private readonly sockets = new Set<net.Socket>();
  private isCut = false;

  private constructor(
    private readonly server: net.Server,
    readonly port: number,
    public targetPort: number,
  ) {}

  static async start(targetPort: number): Promise<TcpProxy> {
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new TcpProxy(server, (server.address() as net.AddressInfo).port, targetPort);
    server.on('connection', (client) => proxy.connect(client));
    return proxy;
  }

  /** Nothing passes, and no connection breaks: what a lost network looks like. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
  }

  heal(): void {
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Every connection breaks; new ones pass. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    this.server.close();
    await once(this.server, 'close');
  }

  private connect(client: net.Socket): void {
    const upstream = net.connect(this.targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (to === client) from.on('data', (chunk: Buffer) => this.onReply(chunk));
      from.on('data', (chunk: Buffer) => this.forward(chunk, to, to === client ? this.replyDelayMs : 0));
      if (this.isCut) from.pause();
    }
  }

  private forward(chunk: Buffer, to: net.Socket, delayMs: number): void {
    if (delayMs === 0) to.write(chunk);
    else setTimeout(() => to.writable && to.write(chunk), delayMs);
  }
}
