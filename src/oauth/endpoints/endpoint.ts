import type { OpenApiPath } from '../../http/openapi-operations.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { Parameters } from '../parameters.ts';

/** A request of an endpoint that programs use. */
export interface EndpointRequest {
  facts: RequestFacts;
  /** Of a GET its query, of a POST its form: a parameter elsewhere counts as not given. */
  parameters: Parameters;
  /** Says whose request this is: where `cors` is `client`, pages of the client may read the answer. */
  identified(client: RegisteredClient): void;
}

/** The answer: JSON, a JWT, or nothing but a status. */
export interface EndpointReply {
  /** Default: 200. */
  status?: number;
  json?: unknown;
  /** With a content type of its own. */
  body?: { contentType: string; content: string | Buffer };
  headers?: Record<string, string>;
}

/**
 * One endpoint of the protocols: outside the management API, without its envelope. Answers are never
 * stored unless they say otherwise, and neither are refusals (RFC 6749 section 5.1).
 */
export interface Endpoint {
  path: string;
  /** For the OpenAPI document. */
  operations?: OpenApiPath | undefined;
  get?: (request: EndpointRequest) => Promise<EndpointReply>;
  /** Takes `application/x-www-form-urlencoded` alone. */
  post?: (request: EndpointRequest) => Promise<EndpointReply>;
  /**
   * Whose pages may read the answer: those of everybody, those that the client has registered, or
   * none. Cookies never go along.
   */
  cors: 'everybody' | 'client' | 'nobody';
}
