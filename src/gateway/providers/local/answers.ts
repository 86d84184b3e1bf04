import { UNKNOWN_USAGE, type Usage } from '../../usage/usage.ts';
import type { LocalAnswer } from '../provider.ts';

/** A whole answer. */
export function jsonAnswer(body: object, usage: Usage): LocalAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body), usage };
}

/** An answer of server-sent events, each of them framed already. */
export function streamAnswer(events: Iterable<string>, usage: Usage): LocalAnswer {
  return { status: 200, contentType: 'text/event-stream; charset=utf-8', body: events, usage };
}

/** An error in the shape of the OpenAI API. */
export function errorAnswer(status: number, message: string, param: string | null): LocalAnswer {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ error }),
    usage: UNKNOWN_USAGE,
  };
}
