import type { ErrorDefinition } from '../../http/errors.ts';
import type { Recording } from '../cache/response-cache.ts';
import type { KeptBody } from '../logs/capture/kept-body.ts';
import type { ResponseHeaders } from '../client-response.ts';
import type { Usage } from '../usage/usage.ts';

/** Status and headers of a response. */
export interface Head {
  status: number;
  headers: ResponseHeaders;
  contentType: string | undefined;
}

/** Begins to record a response for the cache; undefined if the recordings have reached their limit. */
export type StartRecording = (head: Head) => Recording | undefined;

/** Begins to capture a response for the log; undefined if the log stores no bodies. */
export type StartKeeping = (headers: ResponseHeaders) => KeptBody | undefined;

/** The settings of a response, and its copies for cache and log. */
export interface AnswerUse {
  /** Delays the head until the first bytes of the body arrive. */
  readonly holdsHead: boolean;
  /** Longest silence of an event stream, in milliseconds. */
  readonly pingIntervalMs: number;
  /** The recording of the cache contains the bytes for the client, without pings. */
  readonly record: StartRecording | undefined;
  /** Returns the body of an error of the gateway, in the format of the client. */
  readonly errorBody: (error: ErrorDefinition) => object;
  /** The log contains the same bytes. */
  readonly keep: StartKeeping | undefined;
}

/** Forwards one response of a provider piece by piece. */
export interface Answer {
  /** @returns false if the client reads slowly: wait for `ClientResponse.drained` */
  feed(chunk: Buffer): boolean;
  /** Sends a ping to the client, in an event stream that has begun. */
  ping?(): void;
  /**
   * The response of the provider is complete.
   * @returns the error that the client gets if the response of the provider is unusable
   */
  end(): Promise<ErrorDefinition | undefined>;
  /** The response of the provider is incomplete. */
  fail(definition: ErrorDefinition): void;
  /** The client has disconnected. */
  abandon(): void;
  /** The last event of the stream was sent: a client that disconnects now has the whole response. */
  isComplete?(): boolean;
  /** Returns the usage so far. */
  usage(): Usage;
}

const EVENT_STREAM = /^text\/event-stream(?:[ \t;]|$)/i;

/** Media types are case-insensitive (RFC 9110 section 8.3.1). */
export function isEventStream(contentType: string | undefined): boolean {
  return contentType !== undefined && EVENT_STREAM.test(contentType);
}
