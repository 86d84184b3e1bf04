import type { Translation } from '../translation/translation.ts';
import type { Usage } from '../usage/usage.ts';

/** Operations that callers name by what they do, for any provider. */
export const operations = [
  'chat/completions',
  'responses',
  'embeddings',
  'messages',
  'messages/count_tokens',
] as const;

/** The OpenAI API, but for `messages…`, which is the Anthropic one. */
export type Operation = (typeof operations)[number];

/** Where a request goes. */
export interface Endpoint {
  /** Scheme, host and port. */
  origin: string;
  /** With a leading slash; may carry a query. */
  path: string;
}

/** What a provider needs to know of a request to say where it goes. */
export interface OperationCall {
  /** Without the provider's prefix. */
  model: string;
  isStream: boolean;
}

/** How a provider serves one operation. */
export interface OperationSupport {
  /** @throws UntranslatableError when the model lacks something that the address is made of */
  endpoint(call: OperationCall): Endpoint;
  /**
   * What the request calls the model; left out: as the caller does.
   * @throws UntranslatableError as `endpoint` does
   */
  model?(call: OperationCall): string;
  /** Where the provider's own API has another shape than the operation; left out: bytes pass through. */
  translation?: Translation;
  /** Serves some models in another way; undefined: this one. Left out: it serves none so. */
  ofModel?(model: string): OperationSupport | undefined;
}

/** A request as it is about to be sent, for those who sign it. */
export interface OutgoingRequest {
  method: string;
  endpoint: Endpoint;
  body: Buffer;
  nowMs: number;
}

/** Header names, lower case, and values in turn. */
export type HeaderPairs = string[];

/** A provider reached over HTTP. */
export interface UpstreamProvider {
  kind: 'upstream';
  /** As paths and models carry it. */
  name: string;
  /** Its address is built in, or the operator's; any other is reached only at public addresses. */
  isTrusted: boolean;
  /**
   * Of the operator; lent to authenticated callers who bring no key of their own. Undefined where
   * callers choose between hosts of several owners.
   */
  apiKey: string | undefined;
  operations: Readonly<Partial<Record<Operation, OperationSupport>>>;
  /**
   * Where a provider-native path leads.
   * @param pathAndQuery without a leading slash; it does not leave the provider
   * @returns undefined when it lacks something that the provider's address is made of
   */
  nativeEndpoint(pathAndQuery: string): Endpoint | undefined;
  /**
   * The model that a provider-native path names; left out: the body does, if anything.
   * @param pathAndQuery without a leading slash
   */
  nativeModel?(pathAndQuery: string): string | undefined;
  /** The API of its own paths, in which the gateway reports errors and sends pings; left out: OpenAI. */
  nativeDialect?: 'anthropic';
  /** Its Messages API refuses thinking blocks without a signature. */
  refusesUnsignedThoughts?: true;
  /** Where it lists its models, in the terms of one of the three APIs. */
  modelsEndpoint?: Endpoint;
  /** It is useful without a key, such as a server on the operator's network. */
  needsNoKey?: true;
  /** The models that its owner has listed. */
  models?: readonly string[];
  /**
   * Where requests choose between hosts of several owners: how the one is written that a key kept here
   * is for, since that key must go to no other. Left out: all of its addresses are in the same hands.
   */
  keyOrigin?: { pattern: RegExp; example: string };
  /** Its keys may be JSON, from which {@link UpstreamProvider.authorize} makes headers. */
  takesJsonKeys?: true;
  /** Request headers in which its own credential travels, lower case. */
  credentialHeaders: readonly string[];
  /**
   * Whether the query of a request holds a credential of the provider; left out: none ever does.
   * @param pathAndQuery of its own API
   */
  bringsKey?(pathAndQuery: string): boolean;
  /**
   * The headers that present a key, or that sign the request with it.
   * @throws Error when the key is none that this provider could use, or cannot be exchanged now
   */
  authorize(apiKey: string, request: OutgoingRequest): HeaderPairs | Promise<HeaderPairs>;
  /**
   * Whether it tells the usage of a stream of completions only when it is asked, by
   * `stream_options.include_usage`, and takes that well at this address. Left out: it tells it anyway,
   * or it is not known what becomes of a request that asks.
   */
  tellsUsageWhenAsked?(endpoint: Endpoint): boolean;
  /** It answers 400 to `stream_options` next to `data_sources`. */
  refusesUsageBesideData?: true;
  /** It answers 400 or 422 to any `stream_options`: what we write ourselves must have none. */
  refusesStreamOptions?: true;
  /** Headers that its API demands, for requests that lack them. */
  defaultHeaders?: Readonly<Record<string, string>>;
}

/** What a provider inside this process answers. */
export interface LocalAnswer {
  status: number;
  contentType: string;
  /** All at once, or in pieces, each written when the client has taken those before. */
  body: string | Iterable<string>;
  usage: Usage;
}

/** How a provider inside this process serves one operation. */
export interface LocalSupport {
  /** For {@link LocalProvider.respond}. */
  path: string;
  translation?: Translation;
}

/** A provider inside this process: no network, no key. */
export interface LocalProvider {
  kind: 'local';
  name: string;
  operations: Readonly<Partial<Record<Operation, LocalSupport>>>;
  /**
   * @param path below the provider, without the query
   */
  respond(request: { method: string; path: string; body: Buffer; nowMs: number }): LocalAnswer;
}

/** A built-in provider whose address the operator has not named. */
export interface UnconfiguredProvider {
  kind: 'unconfigured';
  name: string;
  /** What to do about it. */
  reason: string;
}

export type Provider = UpstreamProvider | LocalProvider | UnconfiguredProvider;
