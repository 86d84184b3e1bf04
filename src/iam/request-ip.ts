import ipaddr from 'ipaddr.js';

/** From where a token may be used. An empty or absent list puts no condition. */
export interface RequestIpCondition {
  in?: string[];
  not_in?: string[];
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads an address or a CIDR range; undefined when it is neither. */
export function parseRange(text: string): Range | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
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
