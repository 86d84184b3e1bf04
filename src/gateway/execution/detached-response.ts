import type { ErrorDefinition } from '../../http/errors.ts';
import type { ResponseHeaders } from '../http-headers.ts';
import type { AbortableCall, ClientResponse } from '../gateway-request.ts';

/**
 * Hides the disconnect of the client, so that the provider's response is read to its end: it contains the id
 * of the work that the provider continues and bills.
 */
export class DetachedResponse implements ClientResponse {
  readonly isClosed = false;
  /** Not aborted when the client disconnects. */
  activeCall: AbortableCall | undefined;
  readonly #client: ClientResponse;
  #hasBegun = false;

  constructor(client: ClientResponse) {
    this.#client = client;
  }

  get hasBegun(): boolean {
    return this.#hasBegun || this.#client.hasBegun;
  }

  get isFull(): boolean {
    return !this.#client.isClosed && this.#client.isFull;
  }

  begin(status: number, headers: ResponseHeaders, isStream: boolean): void {
    this.#hasBegun = true;
    if (!this.#client.isClosed) this.#client.begin(status, headers, isStream);
  }

  refuse(error: ErrorDefinition, headers: ResponseHeaders, body: string): void {
    this.#hasBegun = true;
    if (!this.#client.isClosed) this.#client.refuse(error, headers, body);
  }

  write(chunk: Buffer | string): boolean {
    return this.#client.isClosed || this.#client.write(chunk);
  }

  async drained(timeoutMs: number): Promise<void> {
    if (!this.#client.isClosed) await this.#client.drained(timeoutMs);
  }

  end(chunk?: Buffer | string): void {
    if (!this.#client.isClosed) this.#client.end(chunk);
  }

  abort(definition: ErrorDefinition, event: string | undefined): void {
    if (!this.#client.isClosed) this.#client.abort(definition, event);
  }

  cut(): void {
    this.#client.cut();
  }
}
