import type { FastifyRequest } from 'fastify';
import { isForeignCredential, usesSession } from '../../iam/access/presented-credential.ts';
import type { AdmissionRequest } from '../gateway-request.ts';
import type { Operation } from '../providers/provider.ts';
import { type EntryPoint, paramsOf } from './endpoint.ts';
import { DEFAULT_GATEWAY_ID } from '../../gateway-admin/snapshot.ts';

/**
 * Reads the credential on the REST API, which is in `Authorization`. A header names the gateway. Pages of this server send
 * their session cookie instead, as in the management API.
 */
function admissionRequest(request: FastifyRequest): AdmissionRequest {
  const { headers, ip } = request;
  const { authorization, cookie } = headers;
  const admission = {
    accountId: paramsOf(request).account_id ?? '',
    gatewayId: String(headers['cf-aig-gateway-id'] ?? DEFAULT_GATEWAY_ID),
    credential: authorization,
    ip,
  };
  const isOfPage =
    cookie !== undefined && headers['x-api-key'] === undefined && usesSession(headers);
  return isOfPage ? { ...admission, ofPage: headers } : admission;
}

/**
 * Reads the credential of Anthropic clients, which send it in `x-api-key`. A token of this server in `Authorization` takes
 * precedence; the credential of a reverse proxy does not.
 */
export function withApiKey(request: FastifyRequest): AdmissionRequest {
  const apiKey = request.headers['x-api-key'];
  const admission = admissionRequest(request);
  const { credential } = admission;
  if (typeof apiKey !== 'string') return admission;
  if (credential !== undefined && !isForeignCredential(credential)) return admission;
  return { ...admission, credential: `Bearer ${apiKey}` };
}

/** Returns the endpoint of an operation. */
export function restOperation(operation: Operation): EntryPoint {
  return {
    admissionRequest: operation.startsWith('messages') ? withApiKey : admissionRequest,
    target: () => ({ entry: 'rest', operation }),
  };
}

/** The endpoint of models with their own input. The path or the body names the model. */
export const restRun: EntryPoint = {
  admissionRequest,
  target: (request) => ({ entry: 'run', model: paramsOf(request)['*'] }),
};
