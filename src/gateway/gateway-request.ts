import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Admission } from './ingress/admit.ts';
import type { ClientResponse } from './response/client-response.ts';
import type { Operation } from './providers/provider.ts';

/** The target of a request, by endpoint. */
export type Wanted =
  /** An operation; the model in the body names the provider. `compat` is the gateway host's form. */
  | { way: 'rest' | 'compat'; operation: Operation }
  /** One model's own input; undefined: the body names the model. */
  | { way: 'run'; model: string | undefined }
  /** A provider's own path. */
  | { way: 'native'; provider: string; pathAndQuery: string }
  /** Calls of several providers, one the fallback of the other. */
  | { way: 'universal' };

/** The parts of a request that decide about its admission, before the body is read. */
export interface Approach {
  accountId: string;
  gatewayId: string;
  /** The header with the credential for this server (specification section 3.4). */
  credential: string | undefined;
  /** All headers of a request that may come from the dashboard, with the session of its user. */
  ofPage?: IncomingHttpHeaders;
  ip: string;
}

/** One request to the gateway and the response to it. */
export interface Exchange {
  method: string;
  headers: IncomingHttpHeaders;
  /** Raw headers of node:http: alternating names and values. */
  rawHeaders: readonly string[];
  client: ClientResponse;
  requestId: string;
  log: FastifyBaseLogger;
  admission: Admission;
  wanted: Wanted;
  /** The whole body. The gateway may change it in place. */
  body: Buffer;
  receivedAtMs: number;
  /** The rate limit has counted this request already. */
  isCounted?: boolean;
}

/** The API whose format the client understands. */
export type Dialect = 'openai' | 'anthropic';
