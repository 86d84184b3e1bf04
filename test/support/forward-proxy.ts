import { once } from 'node:events';
import { type IncomingMessage, createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { trustedCertificate } from './certificate.ts';
import type { TestScope } from './server-process.ts';

export interface ForwardProxyOptions {
  /** Port on loopback for a destination (`host:port`); undefined: the proxy refuses it with 403. */
  route: (authority: string) => number | undefined;
  /** `user:password` that clients need. */
  credentials?: string;
  secure?: boolean;
  /** Accepts connections and never responds. */
  silent?: boolean;
}

export interface TestForwardProxy {
  port: number;
  /** Without credentials. */
  url: string;
  /** `CONNECT host:port`, or the method and the URL in absolute form. */
  requests: string[];
  /** Headers of the requests in absolute form. */
  headers: IncomingMessage['headers'][];
}

/** A real HTTP proxy on loopback, with CONNECT and requests in absolute form. */
export async function startForwardProxy(
  t: TestScope,
  { route, credentials, secure = false, silent = false }: ForwardProxyOptions,
): Promise<TestForwardProxy> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const sockets = new Set<Socket>();
  const server = secure ? createTlsServer(trustedCertificate()) : createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  const refusalFor = (incoming: IncomingMessage, port: number | undefined) => {
    const expected = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
    const isKnown =
      credentials === undefined || incoming.headers['proxy-authorization'] === expected;
    if (!isKnown) return 407;
    return port === undefined ? 403 : undefined;
  };
  server.on('connect', (incoming, client: Socket) => {
    requests.push(`CONNECT ${incoming.url}`);
    const port = route(incoming.url ?? '');
    const refusal = refusalFor(incoming, port);
    if (silent) return;
    if (refusal !== undefined || port === undefined) {
      client.end(`HTTP/1.1 ${refusal} no\r\n\r\n`);
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 ok\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  server.on('request', (incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    headers.push(incoming.headers);
    const { host, pathname, search, port: ownPort } = new URL(incoming.url ?? '');
    const port = route(ownPort === '' ? `${host}:80` : host);
    const refusal = refusalFor(incoming, port);
    if (silent) return;
    if (refusal !== undefined || port === undefined) {
      response.writeHead(refusal ?? 500).end();
      return;
    }
    const { 'proxy-authorization': _dropped, ...passed } = incoming.headers;
    const upstream = request(
      {
        port,
        host: '127.0.0.1',
        method: incoming.method,
        path: pathname + search,
        headers: passed,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `${secure ? 'https' : 'http'}://localhost:${port}`, requests, headers };
}
