import type { FastifyRequest } from 'fastify';
import type { Approach, Wanted } from '../exchange.ts';

/** What a way into the gateway makes of a request: who comes, and what for. */
export interface WayIn {
  approach(request: FastifyRequest): Approach;
  wanted(request: FastifyRequest): Wanted;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** On the gateway's request path. */
    way?: WayIn;
  }
}

type Params = Record<string, string>;

export const paramsOf = (request: FastifyRequest): Params => request.params as Params;
