import ipaddr from 'ipaddr.js';

/** One subscriber: an IPv4 address, or the /64 of an IPv6 address (RFC 6177 section 2). */
export function subscriberOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  // An IPv4 client of a dual-stack socket appears as ::ffff:a.b.c.d.
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
