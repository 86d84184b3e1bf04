import { type LookupAddress, promises as dns } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from '../lib/address-ranges.ts';
import {
  type AllowedTarget,
  type ConnectionTarget,
  isNamed,
  isOpened,
  plainHost,
} from '../lib/allowed-targets.ts';
import { type ForwardProxies, NO_FORWARD_PROXIES } from '../lib/forward-proxies.ts';
import { HostLookup } from './host-lookup.ts';
import { isOwnAddress } from './own-addresses.ts';
import { type TunnelTarget, connectThrough } from './proxy-tunnel.ts';
import { portOf } from './trusted-agent.ts';
import { watchUse } from './used-connections.ts';

/** A host with no address that the server may connect to. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(
      `${host} is this server, has no public address, or is called without TLS: see LATCHKEY_UPSTREAM_ALLOW`,
    );
  }
}

// One answer of one DNS server; a second try may be what is left of the time for the connection.
const ANSWER_TIMEOUT_MS = 1_500;
const TRIES = 2;

// RFC 6761 section 6.3: whoever asks a DNS server about it does something wrong.
const LOOPBACK_NAME = /(?:^|\.)localhost$/;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Optional parts of a guarded agent. */
export interface GuardOptions {
  /** `address` or `address:port`; none for those of the system. */
  dnsServers?: readonly string[];
  /**
   * The port on which this very server listens, undefined while it does not: no connection leads
   * there, whatever is allowed, since a request that comes round again never ends.
   */
  ownPort?: () => number | undefined;
  proxies?: ForwardProxies;
}

/**
 * Connects to addresses that others have chosen: over TLS to those of the public Internet, and to what
 * is allowed. What is checked is the address that the connection is made to, so that a name which changes
 * its address between a check and the use gains nothing. It follows no redirects.
 *
 * A forward proxy gets the checked address too, except for hosts that the operator has named. Connections
 * without TLS lead to hosts that the operator has opened, and are always direct.
 * @param allowed what the operator has opened besides
 * @param connectTimeoutMs for the connection with its TLS handshake
 */
export function createGuardedAgent(
  allowed: readonly AllowedTarget[],
  connectTimeoutMs: number,
  { dnsServers = [], ownPort, proxies = NO_FORWARD_PROXIES }: GuardOptions = {},
): Agent {
  const isPermitted = (target: ConnectionTarget, isPlain: boolean): boolean =>
    mayConnect(target, allowed, {
      isPlain,
      isOwn: isOwnAddress(target.address),
      isOwnPort: target.port === ownPort?.(),
    });
  const named = new HostLookup();
  // A look-up is told neither the port nor the protocol. There are connectors for each port that
  // something is said of, and for all others; each keeps the TLS sessions of its hosts.
  const connectors = new Map<string, buildConnector.connector>();
  const connectorFor = (port: number, isPlain: boolean): buildConnector.connector => {
    const isSpecial = port === ownPort?.() || allowed.some((target) => target.port === port);
    const key = `${isPlain ? 'http' : 'https'}:${isSpecial ? port : ''}`;
    const connector =
      connectors.get(key) ??
      watchUse(
        buildConnector({
          lookup: guardedLookup(
            (host) =>
              isNamed(host, port, allowed) && dnsServers.length === 0
                ? named.addressesOf(host)
                : resolveAll(host, dnsServers),
            (host, address) => isPermitted({ host, address, port }, isPlain),
          ),
          timeout: connectTimeoutMs,
          allowH2: false,
        }),
      );
    connectors.set(key, connector);
    return connector;
  };
  const targetOf = async (host: string, port: number): Promise<TunnelTarget> => {
    if (isIP(host) !== 0 || isNamed(host, port, allowed)) return { host, port };
    const addresses = await resolveAll(host, dnsServers);
    const target = addresses.find(({ address }) => isPermitted({ host, address, port }, false));
    if (target === undefined) throw new ForbiddenAddressError(host);
    return { host: target.address, port };
  };
  return new Agent({
    allowH2: false,
    connect(options, callback) {
      const host = plainHost(options.hostname);
      const port = portOf(options);
      // There is nothing to look up for an address, so nobody would be asked.
      const isPlain = options.protocol !== 'https:';
      if (isIP(host) !== 0 && !isPermitted({ host, address: host, port }, isPlain)) {
        callback(new ForbiddenAddressError(host), null);
        return;
      }
      const connect = connectorFor(port, isPlain);
      const isDirect = isPlain || port === ownPort?.();
      const proxy = isDirect ? undefined : proxies.find(options.protocol, host, port);
      if (proxy === undefined) {
        connect(options, callback);
        return;
      }
      const tunnel = { proxy, target: targetOf(host, port), timeoutMs: connectTimeoutMs };
      void connectThrough(tunnel, connect, options, callback);
    },
  });
}

/** What is known of a connection besides its target. */
export interface ConnectionFacts {
  /** Without TLS. */
  isPlain: boolean;
  /** To an address of this very machine. */
  isOwn: boolean;
  /** To the port on which this very server listens, there or elsewhere. */
  isOwnPort: boolean;
}

/** Whether a connection may be made; see {@link createGuardedAgent}. */
export function mayConnect(
  target: ConnectionTarget,
  allowed: readonly AllowedTarget[],
  { isPlain, isOwn, isOwnPort }: ConnectionFacts,
): boolean {
  if (isOpened(target, allowed)) return !(isOwn && isOwnPort);
  // Behind the firewall of this machine, more may listen than the Internet is meant to reach.
  return isPublicAddress(target.address) && !isOwn && !isPlain;
}

/** The addresses of a name, without those that the server must not connect to. */
function guardedLookup(
  resolve: (host: string) => Promise<readonly LookupAddress[]>,
  mayConnect: (host: string, address: string) => boolean,
): LookupFunction {
  const lookUp = callbackify(resolve);
  return (name, options, callback) => {
    const host = plainHost(name);
    lookUp(host, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const permitted = addresses.filter(({ address }) => mayConnect(host, address));
      const [first] = permitted;
      if (first === undefined) callback(new ForbiddenAddressError(host), []);
      else if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * All addresses of a name. The system's own look-up knows the names in its hosts file and its search
 * domains too, but it takes one of the four threads that everything else in this process needs, such
 * as the hashing of passwords, for as long as a DNS server stays silent: whoever chooses the name
 * chooses that server. So it is asked for the names that the operator has chosen, by {@link HostLookup}.
 */
async function resolveAll(
  host: string,
  dnsServers: readonly string[],
): Promise<readonly LookupAddress[]> {
  if (LOOPBACK_NAME.test(host)) return LOOPBACK;
  // A new one each time: the servers of the system may have changed.
  const resolver = new dns.Resolver({ timeout: ANSWER_TIMEOUT_MS, tries: TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [
    ...addressesOf(v4).map((address) => ({ address, family: 4 })),
    ...addressesOf(v6).map((address) => ({ address, family: 6 })),
  ];
}

function addressesOf(answer: PromiseSettledResult<string[]>): string[] {
  return answer.status === 'fulfilled' ? answer.value : [];
}
