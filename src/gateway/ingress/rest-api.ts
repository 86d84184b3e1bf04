import type { FastifyRequest } from 'fastify';
import { isForeignCredential, usesSession } from '../../iam/access/presented-credential.ts';
import type { Approach } from '../gateway-request.ts';
import { DEFAULT_GATEWAY_ID } from '../gateways/gateway-store.ts';
import type { Operation } from '../providers/provider.ts';
import { type WayIn, paramsOf } from './entry-point.ts';

/**
 * The REST API: the credential is in `Authorization`, and a header names the gateway. Pages of this server
 * send their session cookie instead, as in the management API.
 */
function approach(request: FastifyRequest): Approach {
  const { headers, ip } = request;
  const { authorization, cookie } = headers;
  const approached = {
    accountId: paramsOf(request).account_id ?? '',
    gatewayId: String(headers['cf-aig-gateway-id'] ?? DEFAULT_GATEWAY_ID),
    credential: authorization,
    ip,
  };
  const isOfPage =
    cookie !== undefined && headers['x-api-key'] === undefined && usesSession(headers);
  return isOfPage ? { ...approached, ofPage: headers } : approached;
}

/**
 * Anthropic clients present their key in `x-api-key`. A token of this server in `Authorization` takes
 * precedence; the credential of a reverse proxy does not.
 */
export function approachWithApiKey(request: FastifyRequest): Approach {
  const apiKey = request.headers['x-api-key'];
  const approached = approach(request);
  const { credential } = approached;
  if (typeof apiKey !== 'string') return approached;
  if (credential !== undefined && !isForeignCredential(credential)) return approached;
  return { ...approached, credential: `Bearer ${apiKey}` };
}

/** An operation by its name. */
export function restOperation(operation: Operation): WayIn {
  return {
    approach: operation.startsWith('messages') ? approachWithApiKey : approach,
    wanted: () => ({ way: 'rest', operation }),
  };
}

/** One model's own input. The path names the model, or the body does. */
export const restRun: WayIn = {
  approach,
  wanted: (request) => ({ way: 'run', model: paramsOf(request)['*'] }),
};
