import { ApiError, unavailable } from '../../http/errors.ts';
import { networkOf } from '../../lib/subscriber.ts';

/** The client for which a password is hashed. */
export interface Requester {
  ip: string;
  /** It presents a session or a known device of the person: strangers cannot take its turn. */
  isKnown: boolean;
}

// Each holds 19 MiB and a core of the machine while it runs, some 20 ms.
const MAX_RUNNING = 2;
// Altogether about one second of work.
const MAX_STRANGERS = 80;
const MAX_STRANGERS_PER_NETWORK = 20;
const MAX_KNOWN = 20;
const MAX_KNOWN_PER_NETWORK = 10;

/** The queue has no room for the requester. */
export class QueueFullError extends ApiError {
  constructor() {
    const { status, entries, headers } = unavailable('too many password checks are waiting');
    super(status, entries, { headers });
  }
}

interface Waiter {
  enter(): void;
  refuse(error: QueueFullError): void;
}

/**
 * Clients that wait, by their network: an IPv4 address or an IPv6 /48. Networks take turns, and one that
 * has many waiting loses its last to a network that has fewer.
 */
class FairQueue {
  readonly #most: number;
  readonly #mostPerNetwork: number;
  /** In the order of their turns; none is empty. */
  readonly #networks = new Map<string, Waiter[]>();
  #length = 0;

  constructor(most: number, mostPerNetwork: number) {
    this.#most = most;
    this.#mostPerNetwork = mostPerNetwork;
  }

  /** @throws QueueFullError */
  add(network: string, waiter: Waiter): void {
    const ofNetwork = this.#networks.get(network) ?? [];
    if (ofNetwork.length >= this.#mostPerNetwork) throw new QueueFullError();
    if (this.#length >= this.#most) this.#displace(ofNetwork.length);
    ofNetwork.push(waiter);
    this.#networks.set(network, ofNetwork);
    this.#length++;
  }

  #displace(fewerThan: number): void {
    const waiting = [...this.#networks.values()];
    const most = Math.max(...waiting.map(({ length }) => length));
    const longest = waiting.find(({ length }) => length === most);
    // The newcomer's network must have fewer waiting than the network that loses one.
    if (most <= fewerThan + 1) throw new QueueFullError();
    longest?.pop()?.refuse(new QueueFullError());
    this.#length--;
  }

  /** The next in turn. */
  take(): Waiter | undefined {
    for (const [network, waiting] of this.#networks) {
      const next = waiting.shift();
      this.#networks.delete(network);
      if (waiting.length > 0) this.#networks.set(network, waiting);
      this.#length--;
      return next;
    }
    return undefined;
  }
}

/** Bounds how many passwords are hashed at once, and shares the rest of the time fairly. */
export class HashingQueue {
  readonly #known = new FairQueue(MAX_KNOWN, MAX_KNOWN_PER_NETWORK);
  readonly #strangers = new FairQueue(MAX_STRANGERS, MAX_STRANGERS_PER_NETWORK);
  #running = 0;
  #isKnownNext = true;

  /**
   * Runs a computation in its turn.
   * @throws QueueFullError when there is no room for its requester
   */
  async run<T>({ ip, isKnown }: Requester, work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_RUNNING) this.#running++;
    else {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const queue = isKnown ? this.#known : this.#strangers;
      queue.add(networkOf(ip), { enter: resolve, refuse: reject });
      await promise;
    }
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Hands the place to the next client directly. */
  #leave(): void {
    const [first, second] = this.#isKnownNext
      ? [this.#known, this.#strangers]
      : [this.#strangers, this.#known];
    // Alternates, so that neither queue starves the other.
    this.#isKnownNext = !this.#isKnownNext;
    const next = first.take() ?? second.take();
    if (next === undefined) this.#running--;
    else next.enter();
  }
}
