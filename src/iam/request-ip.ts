import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** From where a token may be used. An absent list puts no condition; nor does an empty one. */
export interface RequestIpCondition {
  in?: string[];
  not_in?: string[];
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

// ::ffff:0:0/96 holds the IPv4 addresses (RFC 4291 section 2.5.5.2).
const MAPPED_PREFIX_BITS = 96;

/** Reads an address or a CIDR range; undefined when it is neither. */
export function parseRange(text: string): Range | undefined {
  const [host = '', bits, ...rest] = text.split('/');
  // The library also reads octal, hexadecimal and shortened addresses, which people misread.
  const version = host.includes('%') ? 0 : isIP(host);
  if (version === 0 || rest.length > 0) return undefined;
  const width = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  if ((bits !== undefined && !/^\d{1,3}$/.test(bits)) || prefix > width) return undefined;
  const address = ipaddr.parse(host);
  // Callers appear with their IPv4 address, so that is what such a range must be compared with.
  return address instanceof ipaddr.IPv6 &&
    address.isIPv4MappedAddress() &&
    prefix >= MAPPED_PREFIX_BITS
    ? [address.toIPv4Address(), prefix - MAPPED_PREFIX_BITS]
    : [address, prefix];
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly string[]): boolean {
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && range[0].kind() === address.kind() && address.match(range);
  });
}

/** Whether a request from that address satisfies the condition; an unreadable address never does. */
export function isAddressAllowed(condition: RequestIpCondition, ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  // An IPv4 client of a dual-stack socket appears as ::ffff:a.b.c.d; ranges mean the IPv4 address.
  const address = ipaddr.process(ip);
  if (condition.not_in !== undefined && isWithin(address, condition.not_in)) return false;
  const allowed = condition.in ?? [];
  return allowed.length === 0 || isWithin(address, allowed);
}

function isRangeWithin(inner: Range, outer: Range): boolean {
  const [address, bits] = inner;
  return address.kind() === outer[0].kind() && bits >= outer[1] && address.match(outer);
}

/** Whether every one of the ranges lies within one of the others. */
function areWithin(inner: readonly string[], outer: readonly string[]): boolean {
  const outerRanges = outer.map(parseRange).filter((range) => range !== undefined);
  return inner.every((text) => {
    const range = parseRange(text);
    return range !== undefined && outerRanges.some((other) => isRangeWithin(range, other));
  });
}

/**
 * Whether a condition provably allows no address that another one refuses: range by range, so that
 * two ranges which only together cover a third do not count.
 */
export function isConditionWithin(
  inner: RequestIpCondition | undefined,
  outer: RequestIpCondition,
): boolean {
  const { in: innerIn = [], not_in: innerNotIn = [] } = inner ?? {};
  const { in: outerIn = [], not_in: outerNotIn = [] } = outer;
  const isAllowedWithin =
    outerIn.length === 0 || (innerIn.length > 0 && areWithin(innerIn, outerIn));
  return isAllowedWithin && areWithin(outerNotIn, innerNotIn);
}
