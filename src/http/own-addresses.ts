import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Whether an address leads to this very machine: one of its interfaces, loopback, or `0.0.0.0`. */
export function isOwnAddress(address: string): boolean {
  const plain = ipaddr.process(address);
  // Connecting to the unspecified address connects to oneself.
  if (['loopback', 'unspecified'].includes(plain.range())) return true;
  return Object.values(networkInterfaces())
    .flat()
    .some((own) => own !== undefined && isSame(ipaddr.process(own.address), plain));
}

function isSame(a: ipaddr.IPv4 | ipaddr.IPv6, b: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return a.kind() === b.kind() && a.toNormalizedString() === b.toNormalizedString();
}
