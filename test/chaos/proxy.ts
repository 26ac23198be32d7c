import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';

export interface Backend {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

const CONNECT_TIMEOUT_MS = 1_000;

/**
 * A TCP balancer: round robin over the backends that accept, the next one if a connection fails. In front of Postgres it
 * has one backend, gives it a port that outlives restarts, and can cut every connection as a broken network would.
 */
export class Proxy {
  private backends: Backend[] = [];
  private next = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Proxy> {
    const server = createServer({ noDelay: true });
    const proxy = new Proxy(server);
    server.on('connection', (client) => proxy.accept(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  set(backend: Backend): void {
    this.remove(backend.name);
    this.backends.push(backend);
  }

  /** New connections go elsewhere; those that are open stay, as behind a real balancer. */
  remove(name: string): void {
    this.backends = this.backends.filter((backend) => backend.name !== name);
  }

  cutAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    this.track(client);
    client.on('error', () => client.destroy());
    const start = this.next++;
    const order = this.backends.map((_, i) => this.backends[(start + i) % this.backends.length]!);
    void this.forward(client, order);
  }

  private async forward(client: Socket, order: readonly Backend[]): Promise<void> {
    for (const backend of order) {
      const upstream = await this.dial(backend);
      if (!upstream) continue;
      if (client.destroyed) return void upstream.destroy();
      client.pipe(upstream).pipe(client);
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
      return;
    }
    client.destroy();
  }

  private dial({ host, port }: Backend): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host, port, noDelay: true, timeout: CONNECT_TIMEOUT_MS });
      const fail = () => {
        socket.destroy();
        resolve(undefined);
      };
      socket.once('error', fail).once('timeout', fail);
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.removeAllListeners('error').removeAllListeners('timeout');
        socket.on('error', () => socket.destroy());
        this.track(socket);
        resolve(socket);
      });
    });
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
