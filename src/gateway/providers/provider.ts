import type { Usage } from '../usage.ts';

/** Operations that callers name by what they do, for any provider: the OpenAI-style surface. */
export type Operation = 'chat/completions';

/** A provider reached over HTTP. */
export interface UpstreamProvider {
  kind: 'upstream';
  /** As paths and models carry it. */
  name: string;
  /** Scheme, host and port. */
  origin: string;
  /** Path prefix of its API, without a trailing slash. */
  basePath: string;
  /** Lent to authenticated callers who bring no key of their own. */
  apiKey: string | undefined;
  /** Where it serves an operation, below the base path. */
  operationPath(operation: Operation): string;
  /** Request headers in which its own credential travels, lower case. */
  credentialHeaders: readonly string[];
  /** The header that presents a key. */
  authorization(apiKey: string): [name: string, value: string];
}

/** What a provider inside this process answers. */
export interface LocalAnswer {
  status: number;
  contentType: string;
  /** All at once, or in pieces, each written when the client has taken those before. */
  body: string | Iterable<string>;
  usage: Usage;
}

/** A provider inside this process: no network, no key. */
export interface LocalProvider {
  kind: 'local';
  name: string;
  /**
   * @param path below the provider, without the query
   */
  respond(request: { method: string; path: string; body: Buffer; nowMs: number }): LocalAnswer;
}

export type Provider = UpstreamProvider | LocalProvider;
