import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

// Slow mobile networks are faster by a factor of ten.
const MIN_BYTES_PER_SECOND = 500;

interface Progress {
  sinceMs: number;
  bytes: number;
}

/**
 * Finds requests whose body arrives too slowly: without a minimum rate, a client that sends a byte now and
 * then holds its connection for the whole request timeout.
 */
export class SlowBodies {
  readonly #graceMs: number;
  /** The progress of bodies that were incomplete at the previous check. */
  readonly #progress = new WeakMap<IncomingMessage, Progress>();

  /** @param graceMs time in which a body may arrive at any rate */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /**
   * Checks the request that a connection is sending.
   * @returns whether its body is too slow: on average below 500 bytes a second after the grace time
   */
  isTooSlow(request: IncomingMessage, { bytesRead }: Socket, nowMs: number): boolean {
    if (request.complete) return false;
    const begun = this.#progress.get(request);
    // A full buffer waits for this server, not for the client.
    const isWaiting = request.readableLength >= request.readableHighWaterMark;
    if (begun === undefined || isWaiting) {
      this.#progress.set(request, { sinceMs: nowMs, bytes: bytesRead });
      return false;
    }
    const earnedMs = ((bytesRead - begun.bytes) / MIN_BYTES_PER_SECOND) * 1_000;
    return nowMs - begun.sinceMs > this.#graceMs + earnedMs;
  }
}
