import type { FastifyRequest } from 'fastify';
import type { AdmissionRequest } from '../gateway-request.ts';
import type { Operation } from '../providers/provider.ts';
import { type EntryPoint, paramsOf } from './entry-point.ts';

/** The gateway host: `Authorization` is the provider's, ours is in `cf-aig-authorization`. */
function admissionRequest(request: FastifyRequest): AdmissionRequest {
  const { account_id: accountId = '', gateway_id: gatewayId = '' } = paramsOf(request);
  const credential = request.headers['cf-aig-authorization'];
  return {
    accountId,
    gatewayId,
    credential: credential === undefined ? undefined : String(credential),
    ip: request.ip,
  };
}

/** A provider's own path. */
export const native: EntryPoint = {
  admissionRequest,
  target: (request) => ({
    entry: 'native',
    provider: paramsOf(request).provider ?? '',
    pathAndQuery: nativePath(request.raw.url ?? ''),
  }),
};

/** An operation for any provider. */
export function compat(operation: Operation): EntryPoint {
  return { admissionRequest, target: () => ({ entry: 'compat', operation }) };
}

/** Calls of several providers, one the fallback of the other. */
export const universal: EntryPoint = { admissionRequest, target: () => ({ entry: 'universal' }) };

/** What follows `/v1/{account}/{gateway}/{provider}/`, byte for byte. */
function nativePath(target: string): string {
  // RFC 9112 section 3.2.2: the request target may be a whole address.
  const url = target.replace(/^https?:\/\/[^/]*/i, '');
  let position = 0;
  for (let slashes = 0; slashes < 5; slashes++) position = url.indexOf('/', position) + 1;
  return url.slice(position);
}
