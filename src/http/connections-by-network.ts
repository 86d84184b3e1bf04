import type { Socket } from 'node:net';
import { type AddressRange, isInRanges, parseAddressRange } from '../lib/address-ranges.ts';
import { networkOf } from '../lib/subscriber.ts';

/** Bounds the connections of one network: an IPv4 address or an IPv6 /48. */
export class ConnectionsByNetwork {
  readonly #most: number;
  readonly #proxies: readonly AddressRange[];
  readonly #open = new Map<string, number>();

  /**
   * @param most connections of one network; 0: any number
   * @param proxies addresses and CIDR ranges with any number, since all clients come through them
   */
  constructor(most: number, proxies: readonly string[]) {
    this.#most = most;
    this.#proxies = proxies.map(parseAddressRange).filter((range) => range !== undefined);
  }

  /**
   * Counts a connection until it closes.
   * @returns false for one above the limit, which is not counted
   */
  take(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // Without an address it has been closed already.
    if (this.#most === 0 || remoteAddress === undefined) return true;
    if (isInRanges(remoteAddress, this.#proxies)) return true;
    const network = networkOf(remoteAddress);
    const open = this.#open.get(network) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(network, open + 1);
    socket.once('close', () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    });
    return true;
  }
}
