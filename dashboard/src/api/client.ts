import createClient from 'openapi-fetch';
import { csrfToken } from '../session/csrf-token.ts';
import { interruptions } from '../session/interruptions.ts';
import { presence } from '../session/presence.ts';
import { learnTime } from '../lib/server-time.ts';
import { failureOf, noAnswer, noResult } from './failure.ts';
import { MEMBERSHIPS_KEY, queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const TIMEOUT_MS = 30_000;

const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

/** One attempt; whatever answer there is. @throws ApiFailure when there is none */
async function attempt(request: Request, token: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set('x-csrf-token', token);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(new Request(request.clone(), { headers, signal }));
    learnTime(response.headers.get('date'));
    // Read to its end here: the connection may also break off in the middle of the answer.
    const body = await response.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, response);
  } catch (error) {
    // Nobody waits for an answer that the page itself has broken off.
    if (request.signal.aborted) throw error;
    throw noAnswer(error);
  }
}

/**
 * Sends a request as the person who is signed in. When the session has ended, or the server wants to know again
 * who is there, it asks the person and then sends the same request again: whoever waits for the
 * answer notices nothing, and nothing that was typed is lost.
 */
async function sendAsPerson(request: Request): Promise<Response> {
  for (;;) {
    const token = await presence.vouch();
    const response = await attempt(request, token);
    if (response.ok) return response;
    const failure = await failureOf(response.clone());
    const isRefused = failure.status === UNAUTHENTICATED || failure.status === FORBIDDEN;
    // The session was replaced while the request was under way, as a new password does.
    if (isRefused && csrfToken() !== token && csrfToken() !== '') continue;
    // The cookie of the session is there, and that of its token is not.
    const isHalf = failure.status === FORBIDDEN && presence.isKnown && !presence.trusts(token);
    const isSettled = isHalf
      ? interruptions.ask({ kind: 'sign-in' })
      : interruptions.resolve(failure);
    if (await isSettled) continue;
    if (failure.status === FORBIDDEN) {
      // Perhaps a right was lost. The next page looks: this one keeps what was typed.
      void queryClient.invalidateQueries({ queryKey: MEMBERSHIPS_KEY, refetchType: 'none' });
    }
    throw failure;
  }
}

/** The management API, typed from its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: '/client/v4', fetch: sendAsPerson });

/** The same without asking the person anything: for signing in itself. */
export const plainApi = createClient<paths>({
  baseUrl: '/client/v4',
  async fetch(request) {
    const response = await attempt(request, csrfToken());
    if (response.ok) return response;
    throw await failureOf(response);
  },
});

interface Answer<Body> {
  data?: Body;
}

/**
 * The `result` of an answer.
 * @throws ApiFailure for any refusal
 */
export async function resultOf<Result>(
  answer: Promise<Answer<{ result: Result }>>,
): Promise<Result> {
  return (await bodyOf(answer)).result;
}

/**
 * An answer with all that the envelope says, such as `result_info`.
 * @throws ApiFailure for any refusal
 */
export async function bodyOf<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { data } = await answer.catch((error: unknown): Answer<Body> => {
    // Something on the way has answered in the place of the API.
    if (error instanceof SyntaxError) return {};
    throw error;
  });
  if (data === undefined) throw noResult();
  return data;
}
