import { Agent, type Dispatcher, buildConnector } from 'undici';
import { plainHost } from '../lib/allowed-targets.ts';
import {
  type ForwardProxies,
  type ForwardProxy,
  NO_FORWARD_PROXIES,
} from '../lib/forward-proxies.ts';
import { HostLookup, lookupFunction } from './host-lookup.ts';
import { connectThrough } from './proxy-tunnel.ts';
import { watchUse } from './used-connections.ts';

/**
 * Connects to addresses that are built in or that the operator has set. It follows no redirects.
 * @param connectTimeoutMs for the connection, from the look-up of its name to the end of its TLS handshake; a
 *   tunnel through a forward proxy may take as long before it
 */
export function createTrustedAgent(
  connectTimeoutMs: number,
  proxies: ForwardProxies = NO_FORWARD_PROXIES,
): Agent {
  const hosts = new HostLookup();
  const direct = buildConnector({
    lookup: lookupFunction((host) => hosts.addressesOf(host)),
    timeout: connectTimeoutMs,
  });
  const connect: buildConnector.connector = (options, callback) => {
    const port = portOf(options);
    const proxy = proxies.find(options.protocol, options.hostname, port);
    if (proxy === undefined) {
      direct(options, callback);
      return;
    }
    const target = { host: plainHost(options.hostname), port };
    void connectThrough({ proxy, target, timeoutMs: connectTimeoutMs }, direct, options, callback);
  };
  const agentOptions = { connect: watchUse(connect) };
  if (proxies.http === undefined) return new Agent(agentOptions);
  return new ForwardingAgent(agentOptions, proxies);
}

/** The port of a connection that is about to be made. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Sends requests for `http:` to the proxy, in absolute form (RFC 9112 section 3.2.2). */
class ForwardingAgent extends Agent {
  readonly #proxies: ForwardProxies;

  constructor(options: Agent.Options, proxies: ForwardProxies) {
    super(options);
    this.#proxies = proxies;
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const url = URL.parse(String(options.origin));
    // A proxy forwards no upgrades: the connector opens a tunnel for these.
    if (url === null || url.protocol !== 'http:' || Boolean(options.upgrade)) {
      return super.dispatch(options, handler);
    }
    const proxy = this.#proxies.find(url.protocol, url.hostname, portOf(url));
    return super.dispatch(proxy === undefined ? options : forward(options, url, proxy), handler);
  }
}

function forward(
  options: Agent.DispatchOptions,
  { origin, host }: URL,
  { origin: proxyOrigin, authorization, isTls, host: proxyHost }: ForwardProxy,
): Agent.DispatchOptions {
  const headers = headerList(options.headers);
  const hasHost = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (!hasHost) headers.push('host', host);
  if (authorization !== undefined) headers.push('proxy-authorization', authorization);
  return {
    ...options,
    origin: proxyOrigin,
    path: `${origin}${options.path}`,
    headers,
    // By default undici takes the name for TLS from the `host` header.
    ...(isTls && { servername: proxyHost }),
  };
}

/** Names and values in turn. */
function headerList(headers: Dispatcher.DispatchOptions['headers']): string[] {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers)) return [...headers];
  const entries: Iterable<readonly [string, string | number | string[] | undefined]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  return Array.from(entries).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, String(one)]),
  );
}
