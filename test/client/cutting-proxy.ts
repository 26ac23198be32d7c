import net from 'node:net';

/** How many bytes pass in either direction before the connection is cut; undefined lets it be. */
export type CutAfter = () => number | undefined;

export interface CuttingProxy {
  readonly url: string;
  cuts: number;
  close(): Promise<void>;
}

/** A network that breaks: every connection is cut after a number of bytes of the request and the answer together. */
export async function startCuttingProxy(target: string, cutAfter: CutAfter): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    let left = cutAfter() ?? Infinity;
    const end = () => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', end).on('close', () => {
        sockets.delete(from);
        to.end();
      });
      from.on('data', (chunk: Buffer) => {
        if (chunk.length < left) {
          left -= chunk.length;
          return void to.write(chunk);
        }
        proxy.cuts += 1;
        to.write(chunk.subarray(0, left), end);
        left = 0;
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cuts: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
