import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** Stands between the server and its database, and can fall silent without closing anything. */
export class FreezableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;
  /** The database's address, through the proxy. */
  readonly url: string;

  private constructor(server: Server, target: string) {
    const { hostname, port } = new URL(target);
    this.#server = server;
    const url = new URL(target);
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    server.on('connection', (client) => {
      const upstream = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('data', (data) => {
          if (!this.#isFrozen) to.write(data);
        });
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  static async start(target: string): Promise<FreezableProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FreezableProxy(server, target);
  }

  /** How many connections there are now, from either side. */
  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** From now on nothing that is sent arrives. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** From now on what is sent arrives again; what was sent meanwhile is lost. */
  thaw(): void {
    this.#isFrozen = false;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
