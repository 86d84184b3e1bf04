import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, type Server as NetServer, type Socket, createServer } from 'node:net';
import { ConnectionsByNetwork } from './connections-by-network.ts';
import { SlowBodies } from './slow-bodies.ts';

// More than any client waits for on one connection; node:http itself reads on without end.
const MAX_PIPELINED = 64;
// At most so often a line says that connections are refused.
const REPORT_INTERVAL_MS = 10_000;
// As often as node:http looks for requests that take too long.
const LOOK_INTERVAL_MS = 1_000;
// Files, databases and what else is opened besides connections.
const OTHER_DESCRIPTORS = 128;
const MIN_CONNECTIONS = 16;

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections;
  }
}

/** What clients have done to their connections, as far as the server ended them. */
export interface ConnectionCounts {
  /** At this moment; all others are since the start. */
  open: number;
  /** Ended at once: there were as many as there may be. */
  refused: number;
  /** Ended at once: their network had as many as it may have. */
  refusedByNetwork: number;
  /** Ended: the body of a request came too slowly. */
  slow: number;
  /** Cut: the client took nothing of its answer for too long. */
  notTaken: number;
  /** Cut: too many requests came before the answers to those before them. */
  pipelined: number;
}

/** What serves a request. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionLimits {
  /** At once; 0: as many as the process can have files open for. */
  maxConnections: number;
  /** At once from one IPv4 address or one IPv6 /48; 0: any number. */
  maxConnectionsPerAddress: number;
  /** Proxies, from which any number may come: addresses and CIDR ranges. */
  trustProxy: readonly string[];
  /** Time for the headers of a request, and for its body to arrive at any rate. */
  headersTimeoutMs: number;
  /** Longest that a client may take nothing of what is there for it. */
  sendTimeoutMs: number;
}

/**
 * Bounds what one connection, and all of them together, can take: node:http knows no limit for clients
 * that do not read, nor for requests that come before the answer to the one before.
 */
export class Connections {
  readonly counts: ConnectionCounts = {
    open: 0,
    refused: 0,
    refusedByNetwork: 0,
    slow: 0,
    notTaken: 0,
    pipelined: 0,
  };
  readonly #server: Server;
  #serve: Serve = () => {};
  readonly #report: (facts: object, message: string) => void;
  readonly #byNetwork: ConnectionsByNetwork;
  readonly #slowBodies: SlowBodies;
  readonly #open = new Set<Socket>();
  /** The latest response of each connection that is being made. */
  readonly #responses = new WeakMap<Socket, ServerResponse>();
  /** How many requests wait for their turn on a connection. */
  readonly #waiting = new WeakMap<Socket, number>();
  /** For further addresses. */
  readonly #others: NetServer[] = [];
  #reportedAtMs = -Infinity;

  /**
   * @param server without a listener for requests; see {@link serveBy}
   * @param report logs an error
   */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    report: (facts: object, message: string) => void,
  ) {
    const { maxConnections, maxConnectionsPerAddress, trustProxy, sendTimeoutMs } = limits;
    this.#server = server;
    this.#report = report;
    this.#byNetwork = new ConnectionsByNetwork(maxConnectionsPerAddress, trustProxy);
    this.#slowBodies = new SlowBodies(limits.headersTimeoutMs);
    const most = maxConnections === 0 ? roomForConnections() : maxConnections;
    if (most !== undefined) server.maxConnections = most;
    server.on('drop', () => this.#refuse());
    server.on('connection', (socket: Socket) => this.#admit(socket));
    const looking = setInterval(() => this.#endSlow(), LOOK_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(looking));
    // It begins anew whenever something is read, or taken of what was written.
    server.setTimeout(sendTimeoutMs);
    server.on('timeout', (socket) => this.#endSilent(socket));
    server.on('request', (request, response) => this.#take(request, response));
  }

  /** Serves the requests of the server, which it returns. */
  serveBy(serve: Serve): Server {
    this.#serve = serve;
    return this.#server;
  }

  /**
   * Listens on the other addresses of a name too, on the same port, where they can be had. What comes there
   * belongs to the server, as if it had come to its own address.
   */
  async listenAlso(host: string): Promise<void> {
    const { address: own, port } = this.#server.address() as AddressInfo;
    for (const { address } of await lookup(host, { all: true })) {
      if (address === own) continue;
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        this.#server.emit('connection', socket);
      });
      listener.maxConnections = this.#server.maxConnections;
      listener.on('drop', () => this.#refuse());
      listener.listen({ host: address, port });
      try {
        await once(listener, 'listening');
        this.#others.push(listener);
      } catch {
        // Many systems have no ::1, whatever their hosts file says.
      }
    }
  }

  /** Takes no new ones on the other addresses; settles when those have ended that came there. */
  async close(): Promise<void> {
    await Promise.all(
      this.#others.map((listener) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        listener.close(() => resolve());
        return promise;
      }),
    );
  }

  /** Whether requests wait for the answer to the one before them. */
  isPipelined(socket: Socket): boolean {
    return (this.#waiting.get(socket) ?? 0) > 0;
  }

  /** The latest response that was begun on a connection. */
  responseOf(socket: Socket): ServerResponse | undefined {
    return this.#responses.get(socket);
  }

  /**
   * Requests of one connection are served one after the other, as they are answered, each in a turn of
   * its own of the event loop: a single packet can hold thousands, and others wait meanwhile.
   */
  #take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // It has the connection for itself.
    if (response.socket !== null) return this.#begin(socket, request, response);
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    this.#waiting.set(socket, waiting);
    if (waiting > MAX_PIPELINED) {
      if (!socket.destroyed) this.counts.pipelined++;
      socket.destroy();
      return;
    }
    response.once('socket', () => {
      setImmediate(() => {
        this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
        if (!socket.destroyed) this.#begin(socket, request, response);
      });
    });
  }

  #begin(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    this.#responses.set(socket, response);
    this.#serve(request, response);
  }

  /** Nothing came and went for a while: that is as it should be while an answer is being made. */
  #endSilent(socket: Socket): void {
    const response = this.#responses.get(socket);
    const isNotTaken = socket.writableLength > 0;
    if (response?.writableFinished === false && !isNotTaken) return;
    if (isNotTaken) this.counts.notTaken++;
    socket.destroy();
  }

  #admit(socket: Socket): void {
    if (!this.#byNetwork.take(socket)) {
      this.counts.refusedByNetwork++;
      const { remoteAddress: ip } = socket;
      socket.destroy();
      this.#reportSometimes(
        { ip, refused: this.counts.refusedByNetwork },
        'too many connections from one address: rejecting new ones. If the address belongs to a reverse proxy, add it to LATCHKEY_TRUST_PROXY',
      );
      return;
    }
    this.counts.open++;
    this.#open.add(socket);
    socket.once('close', () => {
      this.counts.open--;
      this.#open.delete(socket);
    });
  }

  #endSlow(): void {
    const nowMs = performance.now();
    for (const socket of this.#open) {
      const response = this.#responses.get(socket);
      if (response === undefined || response.req.complete) continue;
      if (!this.#slowBodies.isTooSlow(response.req, socket, nowMs)) continue;
      this.counts.slow++;
      this.#open.delete(socket);
      if (response.writableFinished) {
        // The request was answered before its body ended, so nothing more can be said.
        socket.destroy();
        continue;
      }
      const error = new Error('the body of a request arrives too slowly');
      const slow = Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      this.#server.emit('clientError', slow, socket);
    }
  }

  #refuse(): void {
    this.counts.refused++;
    const { maxConnections: connections } = this.#server;
    const { refused } = this.counts;
    const message = 'too many connections: rejecting new ones';
    this.#reportSometimes({ connections, refused }, message);
  }

  #reportSometimes(facts: object, message: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#reportedAtMs < REPORT_INTERVAL_MS) return;
    this.#reportedAtMs = nowMs;
    this.#report(facts, message);
  }
}

/**
 * Each request to the gateway needs a second connection, to a provider, and what has no descriptor fails
 * where nobody expects it.
 * @returns undefined where the system does not say how many files may be open
 */
function roomForConnections(): number | undefined {
  const limit = descriptorLimit();
  if (limit === undefined) return undefined;
  return Math.max(MIN_CONNECTIONS, Math.floor((limit - OTHER_DESCRIPTORS) / 2));
}

/** How many files this process may have open: what the system grants, since Node asks for all of it. */
function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // Only Linux tells it there.
    return undefined;
  }
}
