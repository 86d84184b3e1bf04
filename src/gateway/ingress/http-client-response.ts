import type { ServerResponse } from 'node:http';
import type { ErrorDefinition } from '../../http/errors.ts';
import type { ResponseHeaders } from '../http-headers.ts';
import { clientClosed } from '../execution/active-calls.ts';
import type { AbortableCall, ClientResponse } from '../gateway-request.ts';

const EVENT_STREAM = /^text\/event-stream/i;

/** Makes nginx pass each chunk at once instead of collecting the response in its buffers. */
const UNBUFFERED = { 'x-accel-buffering': 'no' } as const;

/** The response to an HTTP request. */
export class HttpClientResponse implements ClientResponse {
  readonly #response: ServerResponse;
  activeCall: AbortableCall | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    // Emitted before the response begins, during the response, and after its end.
    response.once('close', () => {
      if (!response.writableFinished) this.activeCall?.abort(clientClosed);
    });
  }

  get isClosed(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  begin(status: number, headers: ResponseHeaders, isStream: boolean): void {
    // Providers stream in many content types, and clients use the parts before the end.
    const isIncremental =
      headers['content-length'] === undefined || EVENT_STREAM.test(String(headers['content-type']));
    this.#response.writeHead(status, isIncremental ? { ...headers, ...UNBUFFERED } : headers);
    if (isStream) this.#response.flushHeaders();
  }

  refuse({ status }: ErrorDefinition, headers: ResponseHeaders, body: string): void {
    this.begin(status, headers, false);
    this.end(body);
  }

  write(chunk: Buffer | string): boolean {
    return this.#response.write(chunk) || this.#response.destroyed;
  }

  async drained(timeoutMs: number): Promise<void> {
    const response = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => response.destroy(), timeoutMs);
    response.once('drain', resolve);
    response.once('close', resolve);
    await promise;
    clearTimeout(timer);
    response.off('drain', resolve);
    response.off('close', resolve);
  }

  end(chunk?: Buffer | string): void {
    this.#response.end(chunk);
  }

  abort(_definition: ErrorDefinition, event: string | undefined): void {
    if (event === undefined) this.cut();
    else this.end(event);
  }

  cut(): void {
    this.#response.destroy();
  }
}
