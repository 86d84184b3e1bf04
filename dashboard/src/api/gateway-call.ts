import { GATEWAY_HEADER, PROVIDER_HEADER } from '../lib/gateway-headers.ts';
import { csrfToken } from '../session/csrf-token.ts';
import { presence } from '../session/presence.ts';
import { api, resultOf } from './client.ts';
import { noAnswer } from './failure.ts';

/** Where a gateway is called: its account's REST API, with its name in a header. */
export interface CalledGateway {
  accountId: string;
  gatewayId: string;
}

interface GatewayCall {
  /** Below `/ai/v1`, such as `chat/completions`. */
  operation: string;
  headers?: Readonly<Record<string, string>>;
  /** JSON; without one, it is a GET. */
  body?: string;
  signal: AbortSignal;
}

const UNAUTHENTICATED = 401;

/**
 * Calls a gateway as the person who is signed in, and gives the answer while it comes: of a provider, or a
 * refusal. When the session has ended, it asks the person, and then sends the same again.
 * @throws ApiFailure when there is no answer
 */
export async function callGateway(gateway: CalledGateway, call: GatewayCall): Promise<Response> {
  for (;;) {
    const token = await vouchedToken();
    const response = await attempt(gateway, call, token);
    const isRefused = response.status === UNAUTHENTICATED && !response.headers.has(PROVIDER_HEADER);
    if (!isRefused) return response;
    // A gateway says the same to who is not signed in and to who may not use it.
    if (csrfToken() === token) await askWhoIsThere();
    if (csrfToken() === token) return response;
    await response.body?.cancel();
  }
}

/** A gateway that is open to anybody would take who has signed out elsewhere for anybody. */
async function vouchedToken(): Promise<string> {
  const token = await presence.vouch();
  if (token !== '') return token;
  await askWhoIsThere();
  return csrfToken();
}

/** Asks the person to sign in, unless they are signed in. @throws ApiFailure when they do not */
async function askWhoIsThere(): Promise<void> {
  await resultOf(api.GET('/user'));
}

async function attempt(
  { accountId, gatewayId }: CalledGateway,
  { operation, headers, body, signal }: GatewayCall,
  token: string,
): Promise<Response> {
  try {
    return await fetch(`/client/v4/accounts/${accountId}/ai/v1/${operation}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        [GATEWAY_HEADER]: gatewayId,
        'x-csrf-token': token,
      },
      body: body ?? null,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw noAnswer(error);
  }
}
