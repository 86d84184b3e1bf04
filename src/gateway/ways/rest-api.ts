import type { FastifyRequest } from 'fastify';
import type { Approach } from '../exchange.ts';
import { DEFAULT_GATEWAY_ID } from '../gateways/gateway-store.ts';
import type { Operation } from '../providers/provider.ts';
import { type WayIn, paramsOf } from './way-in.ts';

/**
 * The REST API: the credential is in `Authorization`, a header names the gateway. As in all of the
 * management API, pages of ours send the session's cookie instead.
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
  const hasCredential = authorization !== undefined || headers['x-api-key'] !== undefined;
  return hasCredential || cookie === undefined ? approached : { ...approached, ofPage: headers };
}

/** Anthropic clients present their key in a header of their own. */
export function approachWithApiKey(request: FastifyRequest): Approach {
  const apiKey = request.headers['x-api-key'];
  const approached = approach(request);
  if (approached.credential !== undefined || typeof apiKey !== 'string') return approached;
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
