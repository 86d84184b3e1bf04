import type { FastifyRequest } from 'fastify';
import type { AdmissionRequest } from '../gateway-request.ts';
import type { Operation } from '../providers/provider.ts';
import { type EntryPoint, paramsOf } from './endpoint.ts';

/** Reads the credential on the gateway host: `cf-aig-authorization`, because `Authorization` is for the provider. */
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

/** The endpoint of native paths. */
export const native: EntryPoint = {
  admissionRequest,
  target: (request) => ({
    entry: 'native',
    provider: paramsOf(request).provider ?? '',
    pathAndQuery: nativePath(request.raw.url ?? ''),
  }),
};

/** Returns the endpoint of an operation for any provider. */
export function compat(operation: Operation): EntryPoint {
  return { admissionRequest, target: () => ({ entry: 'compat', operation }) };
}

/** The endpoint of universal requests: calls of several providers, each the fallback of the one before. */
export const universal: EntryPoint = { admissionRequest, target: () => ({ entry: 'universal' }) };

/** Returns the path after `/v1/{account}/{gateway}/{provider}/`, byte for byte. */
function nativePath(target: string): string {
  // The request target may be a whole URL (RFC 9112 section 3.2.2).
  const url = target.replace(/^https?:\/\/[^/]*/i, '');
  let position = 0;
  for (let slashes = 0; slashes < 5; slashes++) position = url.indexOf('/', position) + 1;
  return url.slice(position);
}
