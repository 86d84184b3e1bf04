import { isIP } from 'node:net';
import { type AddressRange, isInRanges, parseAddressRange } from './address-ranges.ts';
import { trimEnd } from './trim-end.ts';

/** What an operator opens besides the public Internet. */
export interface AllowedTarget {
  /** Addresses; or the name of a host, which may then have any address. */
  host: AddressRange | string;
  /** Undefined: every port. */
  port: number | undefined;
}

/** Whereto a connection is about to be made. */
export interface ConnectionTarget {
  /** As {@link plainHost} has it. */
  host: string;
  /** That the host stands for; an address stands for itself. */
  address: string;
  port: number;
}

const MAX_PORT = 65_535;
const MAX_HOST_LENGTH = 253;

const WITH_PORT = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/;
// RFC 1123 section 2.1, and the underscore, which names of containers have.
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** The host of a URL as it is compared: lower case, without brackets or the dots of the root. */
export function plainHost(host: string): string {
  return trimEnd(host.toLowerCase().replace(/^\[|\]$/g, ''), '.');
}

/**
 * Reads `address`, `range/bits` (RFC 4632 section 3.1) or `host`; but for a range, with `:port` where
 * only that port is meant, and then an IPv6 address in brackets.
 * @returns undefined for anything else
 */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  const range = parseAddressRange(text);
  if (range !== undefined) return { host: range, port: undefined };
  const [, hostPart = text, portPart] = WITH_PORT.exec(text) ?? [];
  const port = portPart === undefined ? undefined : Number(portPart);
  if (port !== undefined && (port < 1 || port > MAX_PORT)) return undefined;
  const host = plainHost(hostPart);
  if (isIP(host) !== 0) {
    const address = parseAddressRange(host);
    return address === undefined ? undefined : { host: address, port };
  }
  return isHostName(host) ? { host, port } : undefined;
}

function isHostName(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH || !HOST_NAME.test(host)) return false;
  // `127.1` and `0x7f000001` look like names, and are addresses in every URL.
  return URL.parse(`http://${host}/`)?.hostname === host;
}

/** Whether an operator has named the host itself, so that it may have any address. */
export function isNamed(host: string, port: number, allowed: readonly AllowedTarget[]): boolean {
  return onPort(allowed, port).some((target) => target.host === host);
}

/** Whether an operator has opened a target: its host by name, or a range that its address is in. */
export function isOpened(
  { host, address, port }: ConnectionTarget,
  allowed: readonly AllowedTarget[],
): boolean {
  if (isNamed(host, port, allowed)) return isIP(address) !== 0;
  const ranges = onPort(allowed, port).flatMap((target) =>
    typeof target.host === 'string' ? [] : [target.host],
  );
  return isInRanges(address, ranges);
}

function onPort(allowed: readonly AllowedTarget[], port: number): readonly AllowedTarget[] {
  return allowed.filter((target) => target.port === undefined || target.port === port);
}
