import { isUtf8 } from 'node:buffer';
import { createParser } from 'eventsource-parser';
import { type ErrorDefinition, httpErrors } from '../../../http/errors.ts';
import { clientClosed } from '../../execution/active-calls.ts';
import { isEventStream } from '../../response/response-sink.ts';
import { gatewayErrors } from '../../gateway-errors.ts';
import { firstOf, type ResponseHeaders } from '../../http-headers.ts';
import { textIn } from '../../json/json-fields.ts';
import type { AbortableCall, ClientResponse } from '../../gateway-request.ts';

/** The connection that several responses share. */
export interface Wire {
  readonly isClosed: boolean;
  /** The client reads slowly, so that data waits in the buffer. */
  readonly isFull: boolean;
  send(text: string): void;
  drained(): Promise<void>;
}

// A response without a stream is one message, which is in memory until it is complete.
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** The headers of a response that its messages contain. */
const METADATA = {
  cacheStatus: 'cf-aig-cache-status',
  eventId: 'cf-aig-event-id',
  logId: 'cf-aig-log-id',
  provider: 'cf-aig-provider',
  model: 'cf-aig-model',
  step: 'cf-aig-step',
  contentType: 'content-type',
} as const;

/** Distinguishes the messages of several responses on one connection. */
export interface MessageIds {
  eventId?: string;
}

/**
 * Returns the message for an error.
 * @param headers of the response; the message contains `retry-after`, in seconds
 */
export function errorMessage(
  { code, message, status }: ErrorDefinition,
  metadata: MessageIds,
  headers: ResponseHeaders = {},
): string {
  const retryAfter = firstOf(headers['retry-after']);
  const retry = retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) };
  return JSON.stringify({ type: 'error', error: { code, message, status, ...retry }, metadata });
}

/**
 * The response to one `universal.create` on a WebSocket. A stream has a message for its beginning, each of its events and its
 * end; any other response is one message. JSON of a provider stays JSON, and other text becomes a JSON string.
 */
export class WebSocketClientResponse implements ClientResponse {
  readonly #wire: Wire;
  readonly #onOver: () => void;
  #ids: MessageIds;
  #metadata: Record<string, unknown> = {};
  #body: WholeBody | EventBody | undefined;
  #isOver = false;
  #isCut = false;
  activeCall: AbortableCall | undefined;

  /** @param onOver called after the last message */
  constructor(wire: Wire, ids: MessageIds, onOver: () => void) {
    this.#wire = wire;
    this.#ids = ids;
    this.#onOver = onOver;
  }

  get isClosed(): boolean {
    return this.#isCut || (!this.#isOver && this.#wire.isClosed);
  }

  get hasBegun(): boolean {
    return this.#body !== undefined;
  }

  get isFull(): boolean {
    return this.#wire.isFull;
  }

  /** The connection is closed. */
  leave(): void {
    if (this.#isOver) return;
    this.activeCall?.abort(clientClosed);
  }

  begin(status: number, headers: ResponseHeaders): void {
    this.#readMetadata(status, headers);
    const isStream = isEventStream(textIn(this.#metadata.contentType));
    this.#body = isStream ? new EventBody((data) => this.#sendEvent(data)) : new WholeBody();
    // Messages contain text. The gateway has decoded every coding that it supports.
    if (headers['content-encoding'] !== undefined) return this.#giveUp();
    if (isStream) this.#send('universal.created', this.#metadata);
  }

  #readMetadata(status: number, headers: ResponseHeaders): void {
    for (const [field, name] of Object.entries(METADATA)) {
      const value = firstOf(headers[name]);
      if (value !== undefined) this.#metadata[field] = value;
    }
    this.#metadata.status = status;
    const { eventId } = this.#metadata;
    if (typeof eventId === 'string') this.#ids = { eventId };
  }

  refuse(error: ErrorDefinition, headers: ResponseHeaders): void {
    if (this.#isOver) return;
    this.#readMetadata(error.status, headers);
    this.#wire.send(errorMessage(error, this.#ids, headers));
    this.#over();
  }

  write(chunk: Buffer | string): boolean {
    this.#take(Buffer.from(chunk));
    return this.#isCut || this.#isOver || !this.#wire.isFull;
  }

  #take(chunk: Buffer): void {
    if (this.#isOver || this.#body?.feed(chunk) !== false) return;
    this.#giveUp();
  }

  /** The response cannot be sent as messages, so the rest is not needed. */
  #giveUp(): void {
    if (this.#isOver) return;
    this.abort(gatewayErrors.upstreamFailed);
    this.#isCut = true;
    this.activeCall?.abort(clientClosed);
  }

  drained(): Promise<void> {
    return this.#wire.drained();
  }

  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.write(chunk);
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    if (this.#body instanceof EventBody) {
      this.#body.end();
      this.#send('universal.done', this.#metadata);
    } else if (this.#body !== undefined) {
      this.#sendWhole(this.#body.read());
    }
    this.#over();
  }

  #sendWhole(body: Buffer): void {
    const text = body.toString();
    if (isUtf8(body)) {
      this.#send('universal.created', this.#metadata, jsonOf(text));
    } else {
      const metadata = { ...this.#metadata, encoding: 'base64' };
      this.#send('universal.created', metadata, JSON.stringify(body.toString('base64')));
    }
  }

  #sendEvent(data: string): void {
    this.#send('universal.stream', this.#ids, jsonOf(data));
  }

  /** @param response JSON, which is sent byte for byte */
  #send(type: string, metadata: object, response?: string): void {
    const head = JSON.stringify({ type, metadata });
    this.#wire.send(response === undefined ? head : `${head.slice(0, -1)},"response":${response}}`);
  }

  abort(definition: ErrorDefinition): void {
    if (this.#isOver) return;
    this.#wire.send(errorMessage(definition, this.#ids));
    this.#over();
  }

  cut(): void {
    this.abort(httpErrors.internal);
  }

  #over(): void {
    this.#isOver = true;
    this.#onOver();
  }
}

/** Returns the text itself if it is JSON, or else the text as a JSON string. */
function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

/** A response without a stream. */
class WholeBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** @returns false if it is too large */
  feed(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    return this.#bytes <= MAX_ANSWER_BYTES;
  }

  read(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** A response of server-sent events. */
class EventBody {
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #isBroken = false;

  constructor(onData: (data: string) => void) {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => onData(data),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#isBroken = true;
      },
    });
  }

  /** @returns false if an event is too large */
  feed(chunk: Buffer): boolean {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    return !this.#isBroken;
  }

  end(): void {
    this.#parser.reset({ consume: true });
  }
}
