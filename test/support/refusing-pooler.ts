import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';

/** An error as PostgreSQL sends it: https://www.postgresql.org/docs/current/protocol-error-fields.html */
function errorResponse(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * Stands before a PostgreSQL, and refuses a parameter of the start as PgBouncer does with all that it
 * does not know how to carry from one connection to another.
 * @returns the address of the database through it
 */
export async function startRefusingPooler(
  t: TestContext,
  target: string,
  parameter: string,
): Promise<string> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    client.on('close', () => sockets.delete(client));
    client.once('data', (startup) => {
      if (startup.includes(`\0${parameter}\0`)) {
        client.end(errorResponse('08P01', `unsupported startup parameter: ${parameter}`));
        return;
      }
      const upstream = connect(Number(port), hostname);
      upstream.on('error', () => client.destroy());
      upstream.write(startup);
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}
