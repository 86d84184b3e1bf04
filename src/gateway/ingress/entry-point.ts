import type { FastifyRequest } from 'fastify';
import type { AdmissionRequest, RequestTarget } from '../gateway-request.ts';

/** Reads credential and target of a request to an endpoint. */
export interface EntryPoint {
  admissionRequest(request: FastifyRequest): AdmissionRequest;
  target(request: FastifyRequest): RequestTarget;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for the endpoints of the gateway. */
    entryPoint?: EntryPoint;
  }
}

type Params = Record<string, string>;

/** Returns the parameters in the path of a request. */
export const paramsOf = (request: FastifyRequest): Params => request.params as Params;

const OTHER: RequestTarget = { entry: 'rest', operation: 'chat/completions' };

/** Returns the target of a request. For an unknown path, the target only determines the format of errors. */
export function targetOf(request: FastifyRequest): RequestTarget {
  return request.routeOptions.config.entryPoint?.target(request) ?? OTHER;
}
