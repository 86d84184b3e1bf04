import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { type AddressRange, mayConnectTo } from '../lib/address-ranges.ts';

/** A host with no address that the server may connect to. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} has no address of the public Internet: see LATCHKEY_UPSTREAM_ALLOW`);
  }
}

// One answer of one DNS server; a second try may be what is left of the time for the connection.
const ANSWER_TIMEOUT_MS = 1_500;
const TRIES = 2;

// RFC 6761 section 6.3: whoever asks a DNS server about it does something wrong.
const LOOPBACK_NAME = /(?:^|\.)localhost\.?$/i;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Connects to addresses that others have chosen: only to those of the public Internet and to the
 * allowed ranges. What is checked is the address that the connection is made to, so that a name
 * which changes its address between a check and the use gains nothing.
 * @param allowed ranges outside of the public Internet
 * @param connectTimeoutMs for the connection with its TLS handshake
 * @param dnsServers `address` or `address:port`; none for those of the system
 */
export function createGuardedAgent(
  allowed: readonly AddressRange[],
  connectTimeoutMs: number,
  dnsServers: readonly string[] = [],
): Agent {
  const connect = buildConnector({
    lookup: guardedLookup(dnsServers, allowed),
    timeout: connectTimeoutMs,
    allowH2: false,
  });
  return new Agent({
    allowH2: false,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      // There is nothing to look up for an address, so nobody would be asked.
      if (isIP(host) !== 0 && !mayConnectTo(host, allowed)) {
        callback(new ForbiddenAddressError(host), null);
        return;
      }
      connect(options, callback);
    },
  });
}

/** The addresses of a name, without those that the server must not connect to. */
function guardedLookup(
  dnsServers: readonly string[],
  allowed: readonly AddressRange[],
): LookupFunction {
  const lookUp = callbackify((host: string) => resolveAll(dnsServers, host));
  return (host, options, callback) => {
    lookUp(host, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const permitted = addresses.filter(({ address }) => mayConnectTo(address, allowed));
      const [first] = permitted;
      if (first === undefined) callback(new ForbiddenAddressError(host), []);
      else if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * All addresses of a name. The system's own look-up would know the names in its hosts file too, but it
 * takes one of the four threads that everything else in this process needs, such as the hashing of
 * passwords, for as long as a DNS server stays silent: whoever chooses the name chooses that server.
 */
async function resolveAll(
  dnsServers: readonly string[],
  host: string,
): Promise<readonly LookupAddress[]> {
  if (LOOPBACK_NAME.test(host)) return LOOPBACK;
  // A new one each time: the servers of the system may have changed.
  const resolver = new Resolver({ timeout: ANSWER_TIMEOUT_MS, tries: TRIES });
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
