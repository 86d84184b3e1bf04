import { lookup as resolveName } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AddressRange, mayConnectTo } from '../lib/address-ranges.ts';

/** A host with no address that the server may connect to. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} has no address of the public Internet: see LATCHKEY_UPSTREAM_ALLOW`);
  }
}

/**
 * Connects to addresses that others have chosen: only to those of the public Internet and to the
 * allowed ranges. What is checked is the address that the connection is made to, so that a name
 * which changes its address between a check and the use gains nothing.
 * @param allowed ranges outside of the public Internet
 * @param connectTimeoutMs for the connection with its TLS handshake
 */
export function createGuardedAgent(
  allowed: readonly AddressRange[],
  connectTimeoutMs: number,
): Agent {
  const connect = buildConnector({
    lookup: guardedLookup(allowed),
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
function guardedLookup(allowed: readonly AddressRange[]): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
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
