import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Socket, isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { ForwardProxy } from '../lib/forward-proxies.ts';

const KEEP_ALIVE_MS = 60_000;

/** A forward proxy did not open a tunnel. The message names the proxy and the destination. */
export class ProxyTunnelError extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The other end of a tunnel. */
export interface TunnelTarget {
  /** A name or an address without brackets. */
  host: string;
  port: number;
}

/**
 * Opens a tunnel with CONNECT (RFC 9110 section 9.3.6).
 * @param timeoutMs for the connection to the proxy and its response
 * @throws ProxyTunnelError
 */
export function openTunnel(
  proxy: ForwardProxy,
  { host, port }: TunnelTarget,
  timeoutMs: number,
): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const fail = (reason: string, code: string, cause?: unknown): void => {
    const message = `the forward proxy ${proxy.name} did not connect to ${authority}: ${reason}`;
    reject(new ProxyTunnelError(message, code, cause));
  };
  const request = sendConnect(proxy, authority);
  const timer = setTimeout(() => {
    fail('no response in time', 'UND_ERR_CONNECT_TIMEOUT');
    request.destroy();
  }, timeoutMs);
  request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
    clearTimeout(timer);
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      fail(`status ${statusCode}`, 'ERR_FORWARD_PROXY');
      return;
    }
    // The first bytes of the destination can arrive with the response of the proxy.
    if (head.length > 0) socket.unshift(head);
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    resolve(socket);
  });
  request.once('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    fail(error.code ?? error.message, 'ERR_FORWARD_PROXY', error);
  });
  request.end();
  return promise;
}

function sendConnect({ host, port, isTls, authorization }: ForwardProxy, authority: string) {
  const send = isTls ? requestHttps : requestHttp;
  const request: ClientRequest = send({
    host,
    port,
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
  });
  return request;
}

/**
 * Connects through a tunnel, with TLS to the destination for `https:`.
 * @param connect makes the TLS connection, with its own timeout
 * @param timeoutMs for the tunnel
 */
export async function connectThrough(
  tunnel: { proxy: ForwardProxy; target: TunnelTarget | Promise<TunnelTarget>; timeoutMs: number },
  connect: buildConnector.connector,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await openTunnel(tunnel.proxy, await tunnel.target, tunnel.timeoutMs);
  } catch (error) {
    callback(error as Error, null);
    return;
  }
  if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, callback);
  else callback(null, socket);
}
