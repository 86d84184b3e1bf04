import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that begin with the same bits. */
export type AddressRange = readonly [Address, bits: number];

const IPV4_BITS = 32;
const IPV6_BITS = 128;

// What RFC 4291 section 2.4 leaves besides is not assigned to anybody.
const GLOBAL_UNICAST: AddressRange = [ipaddr.IPv6.parse('2000::'), 3];

/** An address, or a CIDR range (RFC 4632 section 3.1); undefined for anything else. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', bits] = text.split('/', 2);
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return undefined;
  if (bits === undefined) return [ipaddr.parse(address), family === 4 ? IPV4_BITS : IPV6_BITS];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

/**
 * Whether an address is of the public Internet. What stands for a private address in another notation,
 * such as IPv4-mapped ones (RFC 4291 section 2.5.5.2) and those of translators (RFC 6052), is not.
 */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && isPublic(ipaddr.parse(address));
}

/** Whether an address is in one of the ranges; an IPv4-mapped one counts as the IPv4 address. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  return isIP(address) !== 0 && isInside(ipaddr.process(address), ranges);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isInside(address, [GLOBAL_UNICAST]);
}

function isInside(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(
    ([start, bits]) => start.kind() === address.kind() && address.match(start, bits),
  );
}
