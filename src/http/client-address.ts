import type { IncomingMessage } from 'node:http';
import { type Socket, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInRanges, parseAddressRange } from '../lib/address-ranges.ts';

/** The address of a client whose proxy reports something other than an IP address. */
export const UNKNOWN_ADDRESS = 'unknown';

const KNOWN = Symbol('client address');

interface AddressedMessage extends IncomingMessage {
  [KNOWN]?: string;
}

interface AddressedSocket extends Socket {
  [KNOWN]?: string;
}

/**
 * Creates a function that determines the address of the client behind a request: the last address in
 * `x-forwarded-for` that is not a trusted proxy, or the peer of the connection. The result is in canonical
 * form, without port, brackets and zone. IPv4-mapped IPv6 addresses become IPv4 addresses.
 * @param proxies addresses and CIDR ranges of trusted proxies
 */
export function clientAddresses(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = proxies.map(parseAddressRange).filter((range) => range !== undefined);
  const isTrusted = (address: string): boolean => isInRanges(address, trusted);

  const read = ({ socket, headers }: IncomingMessage): string => {
    let address = addressOfPeer(socket);
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return address;
    let end = forwarded.length;
    while (end > 0 && isTrusted(address)) {
      const start = forwarded.lastIndexOf(',', end - 1) + 1;
      const entry = forwarded.slice(start, end).trim();
      if (entry !== '') address = parseAddress(entry);
      end = start - 1;
    }
    return address;
  };
  return (request: AddressedMessage) => (request[KNOWN] ??= read(request));
}

/** Returns the address of a peer, which stays the same for all requests of a connection. */
function addressOfPeer(socket: AddressedSocket): string {
  return (socket[KNOWN] ??= parseAddress(socket.remoteAddress ?? ''));
}

const WITH_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>[\d.]+))(?::\d{1,5})?$/;

function parseAddress(text: string): string {
  // It is in canonical form, because Node.js accepts no leading zeros.
  if (isIPv4(text)) return text;
  const { ipv6, ipv4 } = WITH_PORT.exec(text)?.groups ?? {};
  const [address = ''] = (ipv6 ?? ipv4 ?? text).split('%', 1);
  if (isIP(address) === 0) return UNKNOWN_ADDRESS;
  return ipaddr.process(address).toString();
}
