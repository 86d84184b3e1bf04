import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';

// PostgreSQL documentation, section 54.2.11: length 8 and the code 80877103.
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** A PostgreSQL server with TLS: it terminates TLS in front of one without. */
export class TlsPostgresProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param target connection string of the server */
  static async start(
    target: string,
    certificate: { key: string; cert: string },
  ): Promise<TlsPostgresProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const proxy = new TlsPostgresProxy(server);
    server.on('connection', (client) => {
      proxy.#sockets.add(client);
      client.on('error', () => {});
      client.once('data', (first: Buffer) => {
        if (!SSL_REQUEST.equals(first)) {
          client.destroy();
          return;
        }
        client.write('S');
        const secure = new TLSSocket(client, { isServer: true, ...certificate });
        const upstream = connect(Number(port), hostname);
        proxy.#sockets.add(upstream);
        for (const socket of [secure, upstream]) socket.on('error', () => client.destroy());
        upstream.on('close', () => client.destroy());
        secure.pipe(upstream).pipe(secure);
      });
    });
    return proxy;
  }

  /** @param host a name or address of this machine */
  urlOf(target: string, host: string, parameters: string): string {
    const url = new URL(target);
    url.host = `${host}:${this.port}`;
    return `${url.href}?${parameters}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
