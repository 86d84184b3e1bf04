import type { ErrorDefinition } from '../../http/errors.ts';
import type { Usage } from '../usage/usage.ts';
import type { ResponseHeaders } from '../http-headers.ts';

/** Status and headers of a response. */
export interface Head {
  status: number;
  headers: ResponseHeaders;
  contentType: string | undefined;
}

/** A response that is being recorded for the cache. `onEnd` stores it; later calls have no effect. */
export type Recording = Required<ResponseObserver>;

/** Begins to record a response for the cache; undefined if the recordings have reached their limit. */
export type StartRecording = (head: Head) => Recording | undefined;

/** Begins to capture a response for the log; undefined if the log stores no bodies. */
export type StartCapture = (headers: ResponseHeaders) => ResponseObserver | undefined;

/** The settings of a response, and its copies for cache and log. */
export interface ResponseOptions {
  /** Delays the head until the first bytes of the body arrive. */
  readonly holdsHead: boolean;
  /** Longest silence of an event stream, in milliseconds. */
  readonly pingIntervalMs: number;
  /** The recording of the cache contains the bytes for the client, without pings. */
  readonly record: StartRecording | undefined;
  /** The log contains the same bytes. */
  readonly capture: StartCapture | undefined;
  /** Returns the body of an error of the gateway, in the format of the client. */
  readonly errorBody: (error: ErrorDefinition) => object;
}

/** Receives the bytes of one response of a provider, and sends the response of the client. */
export interface ResponseSink {
  /** @returns false if the client reads slowly: wait for `ClientResponse.drained` */
  write(chunk: Buffer): boolean;
  /** Sends a ping to the client, in an event stream that has begun. */
  ping(): void;
  /**
   * The response of the provider is complete.
   * @returns the error that the client gets if the response of the provider is unusable
   */
  end(): ErrorDefinition | undefined;
  /** The response of the provider is incomplete. */
  fail(error: ErrorDefinition): void;
  /** The client has disconnected. */
  abandon(): void;
  /** The last event of the stream was sent: a client that disconnects now has the whole response. */
  isComplete(): boolean;
  /** Returns the usage so far. */
  usage(): Usage;
}

/** Changes the bytes of a response. */
export interface ResponseStage {
  /** The response is one JSON text, which `end` returns. */
  readonly isWhole: boolean;
  /** @returns the bytes for the client; may be empty */
  write(chunk: Buffer): Buffer;
  /**
   * @param isIncomplete the response of the provider ends early
   * @returns the rest; undefined if the response cannot end properly
   */
  end(isIncomplete: boolean): Buffer | undefined;
  /** Returns the rest that may precede an error. */
  abort(): Buffer;
}

/** Receives a copy of the bytes of a response. */
export interface ResponseObserver {
  onChunk(chunk: Buffer): void;
  onEnd?(usage: Usage): void;
  /** The response is incomplete, or an error. */
  onAbort?(): void;
}

const EVENT_STREAM = /^text\/event-stream(?:[ \t;]|$)/i;

/** Media types are case-insensitive (RFC 9110 section 8.3.1). */
export function isEventStream(contentType: string | undefined): boolean {
  return contentType !== undefined && EVENT_STREAM.test(contentType);
}
