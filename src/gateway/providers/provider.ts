import type { Awaitable } from '../../lib/awaitable.ts';
import type { BodyEdit } from '../json/body-members.ts';
import type { Translator } from '../translators/translator.ts';
import type { Usage } from '../usage/usage.ts';

/** The operations that clients request from any provider. */
export const operations = [
  'chat/completions',
  'responses',
  'embeddings',
  'messages',
  'messages/count_tokens',
] as const;

/** An operation of the OpenAI API, or `messages…` of the Anthropic API. */
export type Operation = (typeof operations)[number];

/** The address of a request. */
export interface Endpoint {
  /** Scheme, host and port. */
  origin: string;
  /** Begins with a slash; may have a query. */
  path: string;
}

/** The parts of a request that determine its address. */
export interface OperationCall {
  /** The model, without the prefix of the provider. */
  model: string;
  isStream: boolean;
}

/** The support of a provider for one operation. */
export interface OperationSupport {
  /** @throws UntranslatableError if the model lacks a part of the address */
  endpoint(call: OperationCall): Endpoint;
  /**
   * The name of the model in the request. Default: the name that the client uses.
   * @throws UntranslatableError like `endpoint`
   */
  model?(call: OperationCall): string;
  /** Translates between the operation and the API of the provider. Default: bytes pass unchanged. */
  translator?: Translator;
  /** Returns the support for models that the provider serves in another way; undefined for all others. */
  ofModel?(model: string): OperationSupport | undefined;
}

/** A request before it is sent, for signatures. */
export interface OutgoingRequest {
  method: string;
  endpoint: Endpoint;
  body: Buffer;
  nowMs: number;
}

/** Alternating header names, in lower case, and values. */
export type HeaderPairs = string[];

/** The settings of the operator for one provider. */
export interface ProviderSettings {
  /** The base URL of its API. */
  baseUrl?: string;
  /** Available to authenticated clients without their own key. */
  apiKey?: string;
}

/** A provider reached over HTTP. */
export interface UpstreamProvider {
  kind: 'upstream';
  /** The name in paths and models. */
  name: string;
  /** The address is built in or set by the operator. Other providers are reached only at public addresses. */
  isTrusted: boolean;
  /**
   * The key of the operator, for authenticated clients without their own key. Undefined if clients choose between
   * hosts of several owners.
   */
  apiKey: string | undefined;
  operations: Readonly<Partial<Record<Operation, OperationSupport>>>;
  /**
   * Returns the address of a provider-native path.
   * @param pathAndQuery has no leading slash and does not leave the provider
   * @returns undefined if the path lacks a part of the address
   */
  nativeEndpoint(pathAndQuery: string): Endpoint | undefined;
  /**
   * Returns the model in a provider-native path. Default: the body contains the model.
   * @param pathAndQuery without a leading slash
   */
  nativeModel?(pathAndQuery: string): string | undefined;
  /** The API of native paths: errors and pings of the gateway have its format. Default: OpenAI. */
  nativeDialect?: 'anthropic';
  /**
   * Returns the edits to a request in the provider's own API whose conversation contains replies of other models that
   * the provider would refuse. Default: none.
   * @param path of the request at the provider, or an operation
   * @param body a JSON object
   * @param replyKeys the member of that name in `BodyMembers`
   */
  conversationEdits?(
    this: void,
    path: string,
    body: Buffer,
    replyKeys: ReadonlySet<string>,
  ): Awaitable<BodyEdit[]>;
  /** The address of the list of models, which has the format of OpenAI, Anthropic or Gemini. */
  modelsEndpoint?: Endpoint;
  /** The provider works without a key, such as a server on the operator's network. */
  needsNoKey?: true;
  /** The models that the owner of the provider has listed. */
  models?: readonly string[];
  /**
   * The format of the address that a stored key belongs to, for providers whose requests choose between hosts of
   * several owners. Default: all addresses have one owner.
   */
  keyOrigin?: { pattern: RegExp; example: string };
  /** Keys may be JSON: {@link UpstreamProvider.authorize} creates headers from it. */
  takesJsonKeys?: true;
  /** Request headers that contain the credential of the provider, in lower case. */
  credentialHeaders: readonly string[];
  /**
   * Returns true if the query of a request contains a credential of the provider. Default: it never does.
   * @param pathAndQuery a native path of the provider
   */
  bringsKey?(pathAndQuery: string): boolean;
  /**
   * Returns the headers with the key, or with a signature by the key.
   * @throws Error if the provider cannot use the key, or the key cannot be exchanged now
   */
  authorize(apiKey: string, request: OutgoingRequest): Awaitable<HeaderPairs>;
  /**
   * Returns true if a stream of completions contains its usage only with `stream_options.include_usage`, and the
   * address accepts this member. Default: streams always contain it, or the effect of the member is unknown.
   */
  supportsIncludeUsage?(endpoint: Endpoint): boolean;
  /** Rejects `stream_options` next to `data_sources` with 400. */
  rejectsUsageWithDataSources?: true;
  /** Rejects any `stream_options` with 400 or 422: translated requests must not contain them. */
  rejectsStreamOptions?: true;
  /** Headers that the API requires, for requests without them. */
  defaultHeaders?: Readonly<Record<string, string>>;
}

/** The response of a provider inside this process. */
export interface LocalResponse {
  status: number;
  contentType: string;
  /** The whole body, or pieces, each written when the client has read the previous one. */
  body: string | Iterable<string>;
  usage: Usage;
}

/** The support of a provider inside this process for one operation. */
export interface LocalSupport {
  /** For {@link LocalProvider.respond}. */
  path: string;
  translator?: Translator;
}

/** A provider inside this process: no network, no key. */
export interface LocalProvider {
  kind: 'local';
  name: string;
  operations: Readonly<Partial<Record<Operation, LocalSupport>>>;
  /**
   * @param path below the provider, without the query
   */
  respond(request: { method: string; path: string; body: Buffer; nowMs: number }): LocalResponse;
}

/** A built-in provider whose address the operator has not set. */
export interface UnconfiguredProvider {
  kind: 'unconfigured';
  name: string;
  /** Names the missing setting. */
  reason: string;
}

export type Provider = UpstreamProvider | LocalProvider | UnconfiguredProvider;
