import ipaddr from 'ipaddr.js';

const SUBSCRIBER_PARTS = 4;
const NETWORK_PARTS = 3;

// Shared by all clients without an address, so that they also share limits.
const UNREADABLE = 'unreadable';

/** Names the subscriber of an address: the IPv4 address, or the /64 of an IPv6 address (RFC 6177 section 2). */
export function subscriberOf(ip: string): string {
  return nameOf(ip, SUBSCRIBER_PARTS);
}

/** Names the network of an address: the IPv4 address, or the /48 of an IPv6 address (RFC 6177 section 2). */
export function networkOf(ip: string): string {
  return nameOf(ip, NETWORK_PARTS);
}

function nameOf(ip: string, ipv6Parts: number): string {
  if (!ipaddr.isValid(ip)) return UNREADABLE;
  // Sockets report the IPv4 clients of a dual-stack server as ::ffff:a.b.c.d.
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts.slice(0, ipv6Parts).join(':')
    : address.toString();
}
