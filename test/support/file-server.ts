import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { trustedCertificate } from './certificate.ts';
import { noteAddress } from './secrets-in-logs.ts';

interface Context {
  after(work: () => unknown): void;
}

/** A server on loopback that answers as it is told. */
export interface FileServer {
  /** `http://127.0.0.1:port`, or https. */
  origin: string;
  port: number;
  /** Paths of the requests so far. */
  requests: string[];
  /** How many connections there have been. */
  connections: number;
  /** Answers; default: 404. */
  answer: RequestListener;
}

export async function startFileServer(t: Context, scheme = 'http'): Promise<FileServer> {
  const answer: RequestListener = (request, response) => {
    const { url = '' } = request;
    files.requests.push(url);
    // It may stand for an application to which a browser brings a code.
    noteAddress(new URL(url, files.origin));
    files.answer(request, response);
  };
  const server =
    scheme === 'https' ? createTlsServer(trustedCertificate(), answer) : createServer(answer);
  server.on('connection', () => {
    files.connections++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const files: FileServer = {
    origin: `${scheme}://127.0.0.1:${port}`,
    port,
    requests: [],
    connections: 0,
    answer: (_request, response) => response.writeHead(404).end(),
  };
  return files;
}
