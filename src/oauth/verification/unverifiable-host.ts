import { isIPv4 } from 'node:net';

/**
 * Why a host can never be verified, or undefined when it can: addresses have no TXT records, and the
 * name localhost belongs to every machine (RFC 6761 section 6.3). Good enough for a client in
 * development, which stays private.
 * @param host as `new URL` tells it
 * @returns the reason in words that follow the host
 */
export function findUnverifiableReason(host: string): string | undefined {
  if (host.startsWith('[') || isIPv4(host)) {
    return 'is an address and has no DNS records: only a domain name can be verified';
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return 'means every machine itself: only a domain name can be verified';
  }
  return undefined;
}
