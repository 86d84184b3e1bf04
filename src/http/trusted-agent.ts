import { Agent, buildConnector } from 'undici';
import { HostLookup, lookupFunction } from './host-lookup.ts';
import { watchUse } from './used-connections.ts';

/**
 * Connects to addresses that are built in or the operator's own. It follows no redirects.
 * @param connectTimeoutMs for the connection, from the look-up of its name to the end of its TLS handshake
 */
export function createTrustedAgent(connectTimeoutMs: number): Agent {
  const hosts = new HostLookup();
  const connect = buildConnector({
    lookup: lookupFunction((host) => hosts.addressesOf(host)),
    timeout: connectTimeoutMs,
  });
  return new Agent({ connect: watchUse(connect) });
}
