import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    failureLog: FailureLog;
  }
}

const WINDOW_MS = 60_000;
// Enough to see whom it hits.
const LINES_PER_WINDOW = 5;
const SERVICE_UNAVAILABLE = 503;

/**
 * Writes down why requests failed, each under its id. What the server stands on may fail thousands of them
 * for one and the same reason: of such refusals some lines a minute are written, and how many were not.
 */
export class FailureLog {
  #startedMs = -Infinity;
  #lines = 0;
  #unwritten = 0;

  /** @param status with which the request was answered */
  note(request: FastifyRequest, status: number, error: unknown, message: string): void {
    if (status !== SERVICE_UNAVAILABLE) {
      request.log.error({ err: error }, message);
      return;
    }
    const nowMs = performance.now();
    if (nowMs - this.#startedMs >= WINDOW_MS) {
      this.#startedMs = nowMs;
      this.#lines = 0;
    }
    if (this.#lines >= LINES_PER_WINDOW) {
      this.#unwritten++;
      return;
    }
    this.#lines++;
    const further = this.#unwritten === 0 ? {} : { unwritten_before: this.#unwritten };
    this.#unwritten = 0;
    request.log.error({ err: error, ...further }, message);
  }
}
