import type { FastifyRequest } from 'fastify';
import type { Approach, Wanted } from '../gateway-request.ts';

/** Reads client and target of a request to an endpoint. */
export interface WayIn {
  approach(request: FastifyRequest): Approach;
  wanted(request: FastifyRequest): Wanted;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for the endpoints of the gateway. */
    way?: WayIn;
  }
}

type Params = Record<string, string>;

export const paramsOf = (request: FastifyRequest): Params => request.params as Params;
