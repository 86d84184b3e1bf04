import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { ErrorDefinition } from '../http/errors.ts';
import type { AdmittedCaller } from './admitted-caller.ts';
import type { ResponseHeaders } from './http-headers.ts';
import type { CostMembers } from './json/cost-members.ts';
import type { Endpoint, LocalProvider, Operation, UpstreamProvider } from './providers/provider.ts';
import type { TranslationInput, Translator } from './translators/translator.ts';
import type { RetryPolicy } from '../gateway-admin/snapshot.ts';
import type { Metadata } from '../request-log/record.ts';

/** The target of a request, by endpoint. */
export type RequestTarget =
  /** An operation; the model in the body names the provider. `compat` is the endpoint on the gateway host. */
  | { entry: 'rest' | 'compat'; operation: Operation }
  /** A model with its own input; undefined: the body names the model. */
  | { entry: 'run'; model: string | undefined }
  /** A path of the provider's own API. */
  | { entry: 'native'; provider: string; pathAndQuery: string }
  /** Calls of several providers, each the fallback of the one before. */
  | { entry: 'universal' };

/** The parts of a request that decide about its admission, before the body is read. */
export interface AdmissionRequest {
  accountId: string;
  gatewayId: string;
  /** The header with the credential for this server (specification section 3.4). */
  credential: string | undefined;
  /** All headers of a request that may come from the dashboard, with the session of its user. */
  ofPage?: IncomingHttpHeaders;
  ip: string;
}

/** One admitted request with its body, and the response to it. It lives until its last log row is written. */
export interface GatewayRequest extends AdmittedCaller {
  id: string;
  receivedAtMs: number;
  log: FastifyBaseLogger;
  target: RequestTarget;
  method: string;
  headers: IncomingHttpHeaders;
  /** Raw headers of node:http: alternating names and values. */
  rawHeaders: readonly string[];
  /** The whole body. The gateway may change it in place. */
  body: Buffer;
  client: ClientResponse;
  /** The rate limit has counted this request already. */
  isCounted?: boolean;
  /** End of the latest step, in milliseconds since the Unix epoch: the next one began then. */
  stepEndedAtMs?: number;
}

/** A call that is aborted when the client disconnects. */
export interface AbortableCall {
  abort(reason: Error): void;
}

/** The response to the client, over any protocol. */
export interface ClientResponse {
  /** The client disconnected before the end of the response. */
  readonly isClosed: boolean;
  /** The current call. A field costs less than an `AbortSignal` with listeners for each response. */
  activeCall: AbortableCall | undefined;
  readonly hasBegun: boolean;
  /** The client reads slowly, so that data waits in the buffer. */
  readonly isFull: boolean;
  /** @param isStream the head is sent before the first bytes of the body */
  begin(status: number, headers: ResponseHeaders, isStream: boolean): void;
  /**
   * Sends an error of the gateway as the whole response.
   * @param body the error in the format of the endpoint, as JSON
   */
  refuse(error: ErrorDefinition, headers: ResponseHeaders, body: string): void;
  /** @returns false if the client reads slowly: wait for `drained` before the next write */
  write(chunk: Buffer | string): boolean;
  /** Waits until the client has read the buffer. Cuts the connection after that time without progress. */
  drained(timeoutMs: number): Promise<void>;
  end(chunk?: Buffer | string): void;
  /**
   * Ends an incomplete response.
   * @param event the last event of an event stream; undefined for other responses
   */
  abort(definition: ErrorDefinition, event: string | undefined): void;
  /** Breaks the connection, so that no client takes the response for a complete one. */
  cut(): void;
}

/** The API whose format the client understands. */
export type Dialect = 'openai' | 'anthropic';

/** The prices in a request, in US dollars per token. */
export interface CustomCost {
  perTokenIn: number;
  perTokenOut: number;
  /** The price of input from the provider's cache. Default: the price of other input. */
  perCacheReadToken?: number;
  /** The price of input written to the provider's cache. Default: the price of other input. */
  perCacheWriteToken?: number;
}

/** The options of a request. The gateway has defaults for those that are absent. */
export interface RequestOptions {
  skipCache?: boolean;
  cacheTtlSeconds?: number;
  /** Replaces the body in the cache key. */
  cacheKey?: string;
  collectLog?: boolean;
  /** False: the log row has no bodies. */
  collectLogPayload?: boolean;
  metadata?: Metadata;
  customCost?: CustomCost;
  /** Longest time to the first byte of the response. */
  requestTimeoutMs?: number;
  maxAttempts?: number;
  retryDelayMs?: number;
  backoff?: RetryPolicy['backoff'];
  /** Selects a stored key of the gateway. */
  byokAlias?: string;
  eventId?: string;
}

/** One provider call that a request asks for. Each step is the fallback of the one before. */
export interface ProviderStep {
  route: Route;
  options: RequestOptions;
  /** Alternating names and values. */
  rawHeaders: readonly string[];
  /** The credential headers of the client are for the provider. */
  bringsCredentials: boolean;
}

/** A provider that requests can name. */
export type CallableProvider = UpstreamProvider | LocalProvider;

/** The translation of a request, for its response. */
export interface RouteTranslation {
  translator: Translator;
  input: TranslationInput;
}

interface RouteBase {
  method: string;
  /** Path below the provider, without a query, for the log. */
  path: string;
  /** The model without the prefix of the provider; empty if the request names none. */
  model: string;
  body: Buffer;
  /** The body from the client for this step, in pieces, for the log. */
  received: readonly Buffer[];
  /** The gateway requests the usage of the stream, and removes it for the client. */
  asksUsage: boolean;
  /** The client requests a stream; `includesUsage`: with the usage of a chat completion. */
  streamed: { includesUsage: boolean } | undefined;
  /** Undefined: the gateway forwards the bytes unchanged. */
  translation: RouteTranslation | undefined;
  dialect: Dialect;
  /** Undefined: the path determines the operation. */
  operation: Operation | undefined;
  /** Undefined: the body is not JSON. */
  cost: CostMembers | undefined;
  /** The member by which `/ai/run` recognizes an input; it determines the form of the response. */
  inputForm?: string;
}

export interface UpstreamRoute extends RouteBase {
  provider: UpstreamProvider;
  endpoint: Endpoint;
}

export interface LocalRoute extends RouteBase {
  provider: LocalProvider;
}

/** The destination of a step. */
export type Route = UpstreamRoute | LocalRoute;

/** Returns true if the server itself responds. */
export function isLocal(route: Route): route is LocalRoute {
  return route.provider.kind === 'local';
}
