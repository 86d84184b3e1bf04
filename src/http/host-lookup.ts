import { type LookupAddress, promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

// A name is asked for again when this is over and it is needed.
const FRESH_MS = 5_000;
// So long an answer is waited for while there is an older one.
const PATIENCE_MS = 500;
// So long an older answer is used while there is no newer one.
const KEEP_MS = 3_600_000;
// Some providers have names with a part that accounts choose.
const MAX_NAMES = 1_000;

interface Known {
  addresses: readonly LookupAddress[];
  atMs: number;
}

/** What asks the system. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * The addresses of names, from the system: with its hosts file and its search domains. The system does
 * one look-up after the other, two at a time for the whole process, and one whose DNS server is silent
 * takes many seconds. So each name is asked for once, however many wait for it; and one that was known lately
 * is used as it was while the system does not answer, or says that it cannot for now.
 */
export class HostLookup {
  readonly #resolve: ResolveHost;
  readonly #nowMs: () => number;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<readonly LookupAddress[]>>();

  /** @param nowMs of a clock that only goes forward */
  constructor(
    resolve: ResolveHost = (host) => dns.lookup(host, { all: true }),
    nowMs: () => number = () => performance.now(),
  ) {
    this.#resolve = resolve;
    this.#nowMs = nowMs;
  }

  /** @throws what the system says of a name that it does not know */
  async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const known = this.#known.get(host);
    const ageMs = this.#nowMs() - (known?.atMs ?? -Infinity);
    if (known !== undefined && ageMs < FRESH_MS) return known.addresses;
    const asking = this.#ask(host);
    if (known === undefined || ageMs > KEEP_MS) return asking;
    const { promise: late, resolve } = Promise.withResolvers<readonly LookupAddress[]>();
    const timer = setTimeout(resolve, PATIENCE_MS, known.addresses);
    try {
      return await Promise.race([asking, late]);
    } catch (error) {
      // It is known that there is no such name any more; anything else may pass.
      if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') throw error;
      return known.addresses;
    } finally {
      clearTimeout(timer);
    }
  }

  #ask(host: string): Promise<readonly LookupAddress[]> {
    const asking =
      this.#asking.get(host) ??
      this.#resolve(host)
        .then((addresses) => this.#remember(host, addresses))
        .finally(() => this.#asking.delete(host));
    this.#asking.set(host, asking);
    // Whoever waits no longer leaves it behind.
    asking.catch(() => {});
    return asking;
  }

  #remember(host: string, addresses: readonly LookupAddress[]): readonly LookupAddress[] {
    this.#known.delete(host);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_NAMES && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(host, { addresses, atMs: this.#nowMs() });
    return addresses;
  }
}

/** For the sockets of Node, which ask for one address or for all of them. */
export function lookupFunction(resolve: ResolveHost): LookupFunction {
  const lookUp = callbackify(resolve);
  return (name, options, callback) => {
    lookUp(name, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const [first] = addresses;
      if (first === undefined) callback(noAddress(name), []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function noAddress(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
}
