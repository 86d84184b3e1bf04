import ipaddr from 'ipaddr.js';

const SUBSCRIBER_PARTS = 4;
const NETWORK_PARTS = 3;

// All that cannot be read shares one name: otherwise whoever sends nonsense has limits without end.
const UNREADABLE = 'unreadable';

/**
 * One subscriber: an IPv4 address, or the /64 of an IPv6 address (RFC 6177 section 2). Some proxies
 * add a port to the address, which does not count.
 */
export function subscriberOf(ip: string): string {
  return nameOf(ip, SUBSCRIBER_PARTS);
}

/**
 * What one customer may hold at most: the /48 of an IPv6 address, in which there are 65,536
 * subscribers (RFC 6177 section 2). An IPv4 address stands for itself.
 */
export function networkOf(ip: string): string {
  return nameOf(ip, NETWORK_PARTS);
}

function nameOf(text: string, ipv6Parts: number): string {
  const ip = withoutPort(text);
  if (!ipaddr.isValid(ip)) return UNREADABLE;
  // An IPv4 client of a dual-stack socket appears as ::ffff:a.b.c.d.
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts.slice(0, ipv6Parts).join(':')
    : address.toString();
}

const WITH_PORT = /^(?:\[(?<ipv6>[^\]]+)\](?::\d+)?|(?<ipv4>[\d.]+):\d+)$/;

function withoutPort(text: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(text)?.groups ?? {};
  return ipv6 ?? ipv4 ?? text;
}
