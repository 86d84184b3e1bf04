import type { Dialect, ClientResponse } from '../gateway-request.ts';

/** Clients of the Messages API expect an event, other clients ignore a comment. */
const PINGS: Record<Dialect, string> = {
  anthropic: 'event: ping\ndata: {"type": "ping"}\n\n',
  openai: ': ping\n\n',
};

const EVENT_ENDS = ['\n\n', '\r\r', '\n\r\n'].map((end) => Buffer.from(end, 'latin1'));
const MAX_END_BYTES = 3;

/**
 * Keeps an event stream alive: sends a ping after each interval without a byte. Proxies and clients close
 * connections that are silent, and models think for minutes. Pings never interrupt an event.
 */
export class KeepAlive {
  readonly #client: ClientResponse;
  readonly #ping: string;
  readonly #timer: NodeJS.Timeout;
  /** The last bytes of the stream. */
  #tail: Buffer = Buffer.alloc(0);

  /** @param intervalMs longest silence, in milliseconds */
  constructor(client: ClientResponse, dialect: Dialect, intervalMs: number) {
    this.#client = client;
    this.#ping = PINGS[dialect];
    this.#timer = setTimeout(() => {
      this.ping();
      this.#timer.refresh();
    }, intervalMs);
  }

  /** Takes note of bytes that the client gets. */
  note(chunk: Buffer): void {
    this.#timer.refresh();
    this.#tail =
      chunk.length >= MAX_END_BYTES || this.#tail.length === 0
        ? chunk.subarray(-MAX_END_BYTES)
        : Buffer.concat([this.#tail, chunk]).subarray(-MAX_END_BYTES);
  }

  /** Sends a ping, unless an event is incomplete or the client does not keep up. */
  ping(): void {
    if (this.#client.isClosed || this.#client.isFull || !this.#isBetweenEvents()) return;
    this.#timer.refresh();
    this.#client.write(this.#ping);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #isBetweenEvents(): boolean {
    const tail = this.#tail;
    return tail.length === 0 || EVENT_ENDS.some((end) => tail.subarray(-end.length).equals(end));
  }
}
