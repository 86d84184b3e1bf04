import { isIP } from 'node:net';
import { type AddressRange, isInRanges, parseAddressRange } from './address-ranges.ts';
import { plainHost } from './allowed-targets.ts';

/** An HTTP proxy for outbound connections. */
export interface ForwardProxy {
  /** `host:port` for messages. */
  name: string;
  /** Scheme, host and port, without credentials. */
  origin: string;
  /** Without brackets. */
  host: string;
  port: number;
  isTls: boolean;
  /** Value of `proxy-authorization` (RFC 9110 section 11.7.2). */
  authorization: string | undefined;
}

/** A variable of the environment that the server cannot use. The message names it, without its value. */
export class ForwardProxyError extends Error {}

/** An entry of `NO_PROXY`. */
interface Exemption {
  /** A range of addresses, or a domain with its subdomains. */
  host: AddressRange | string;
  /** Undefined: every port. */
  port: number | undefined;
}

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const WITH_PORT = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/;
const LOOPBACK_NAME = /(?:^|\.)localhost$/;
const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128']
  .map(parseAddressRange)
  .filter((range) => range !== undefined);

/** The forward proxies of this server and the hosts that it connects to directly. */
export class ForwardProxies {
  /** For destinations with `http:`. */
  readonly http: ForwardProxy | undefined;
  /** For destinations with `https:`. */
  readonly https: ForwardProxy | undefined;
  readonly #isEverythingExempt: boolean;
  readonly #exemptions: readonly Exemption[];

  constructor(http?: ForwardProxy, https?: ForwardProxy, noProxy = '') {
    this.http = http;
    this.https = https;
    const entries = noProxy.split(/[\s,]+/).filter((entry) => entry !== '');
    this.#isEverythingExempt = entries.includes('*');
    this.#exemptions = entries.map(parseExemption);
  }

  /**
   * Finds the proxy for a destination.
   * @param protocol `http:` or `https:`
   * @param hostname a name or an address, with or without brackets
   * @returns undefined for a direct connection, as to this machine and to the proxy itself
   */
  find(protocol: string, hostname: string, port: number): ForwardProxy | undefined {
    const proxy = protocol === 'https:' ? this.https : this.http;
    if (proxy === undefined || this.#isEverythingExempt) return undefined;
    const host = plainHost(hostname);
    if (LOOPBACK_NAME.test(host) || (isIP(host) !== 0 && isInRanges(host, LOOPBACK_RANGES))) {
      return undefined;
    }
    const isProxy = [this.http, this.https].some((one) => one?.host === host && one.port === port);
    if (isProxy || this.#exemptions.some((one) => matches(one, host, port))) return undefined;
    return proxy;
  }
}

/** For a server that connects to everything directly. */
export const NO_FORWARD_PROXIES = new ForwardProxies();

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. As in curl, names in lower case take precedence.
 * @throws ForwardProxyError
 */
export function readForwardProxies(
  environment: Readonly<Record<string, string | undefined>>,
): ForwardProxies {
  const read = (name: string): [source: string, value: string] | undefined => {
    for (const source of [name.toLowerCase(), name]) {
      const value = environment[source]?.trim() ?? '';
      if (value !== '') return [source, value];
    }
    return undefined;
  };
  const [http, https] = [read('HTTP_PROXY'), read('HTTPS_PROXY')];
  return new ForwardProxies(
    http && parseForwardProxy(...http),
    https && parseForwardProxy(...https),
    read('NO_PROXY')?.[1],
  );
}

function parseForwardProxy(source: string, value: string): ForwardProxy {
  const url = URL.parse(SCHEME.test(value) ? value : `http://${value}`);
  const isTls = url?.protocol === 'https:';
  if (url === null || url.hostname === '' || (!isTls && url.protocol !== 'http:')) {
    throw new ForwardProxyError(
      `${source} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`,
    );
  }
  const host = plainHost(url.hostname);
  const port = Number(url.port) || (isTls ? HTTPS_PORT : HTTP_PORT);
  return {
    name: `${url.hostname}:${port}`,
    origin: url.origin,
    host,
    port,
    isTls,
    authorization: authorizationOf(source, url),
  };
}

function authorizationOf(source: string, { username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new ForwardProxyError(
      `${source} must have a percent-encoded user name and password: % is %25`,
    );
  }
}

function parseExemption(entry: string): Exemption {
  const range = parseAddressRange(entry.replace(/^\[(.*)\]$/, '$1'));
  if (range !== undefined) return { host: range, port: undefined };
  const [, hostPart = entry, portPart] = WITH_PORT.exec(entry) ?? [];
  const host = plainHost(hostPart.replace(/^\*?\./, ''));
  const port = portPart === undefined ? undefined : Number(portPart);
  return { host: parseAddressRange(host) ?? host, port };
}

function matches(exemption: Exemption, host: string, port: number): boolean {
  if (exemption.port !== undefined && exemption.port !== port) return false;
  const { host: exempt } = exemption;
  if (typeof exempt !== 'string') return isIP(host) !== 0 && isInRanges(host, [exempt]);
  return host === exempt || host.endsWith(`.${exempt}`);
}
