import { PROVIDER_HEADER } from '../../../lib/gateway-headers.ts';
import { ApiFailure, describeFailure } from '../../../api/failure.ts';
import { labels } from './labels.ts';

/** What went wrong with a question. */
export interface Fault {
  title: string;
  message: string;
  /** What can be done about it. */
  advice?: string;
  /** A page where it can be done. */
  page?: 'keys' | 'settings';
  /** The answer as it came, where it says more. */
  raw?: string;
}

const MAX_MESSAGE_LENGTH = 2_000;
const MAX_RAW_LENGTH = 10_000;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

interface Advice {
  advice: string;
  page?: 'keys' | 'settings';
}

const NAME_A_MODEL: Advice = {
  advice: labels.nameTheModelAsProvider,
};

/** By the code of our refusal. */
const OWN_ADVICE: Readonly<Record<number, Advice>> = {
  2003: { advice: labels.theGatewayOrOne, page: 'settings' },
  2008: NAME_A_MODEL,
  2011: { advice: labels.theGatewayHasReached, page: 'settings' },
  2019: NAME_A_MODEL,
  2023: { advice: labels.thePlaygroundSendsChatCompletions },
  10_000: { advice: labels.yourRoleDoesntAllowYou },
};

const KEY_REFUSED: Advice = {
  advice: labels.theProviderRejectedTheKey,
  page: 'keys',
};

/** What a refusal says, be it ours or a provider's. */
export function faultOf(status: number, headers: Headers, body: string): Fault {
  const { code, message } = errorIn(body);
  const provider = headers.get(PROVIDER_HEADER);
  const retryAfter = headers.get('retry-after');
  const wait = retryAfter !== null && /^\d+$/.test(retryAfter) ? ` Wait ${retryAfter} s.` : '';
  const fallback = labels.theResponseHasStatus(status);
  const told = {
    message: sentence((message ?? fallback).slice(0, MAX_MESSAGE_LENGTH)) + wait,
    ...(body !== '' && { raw: prettyJson(body).slice(0, MAX_RAW_LENGTH) }),
  };
  if (code !== undefined || provider === null) {
    const advice = code === undefined ? undefined : OWN_ADVICE[code];
    const isGone = provider !== null && status >= SERVER_ERROR;
    const title = isGone ? labels.noResponseFrom(provider) : labels.theGatewayRejectedTheRequest;
    return { title: `${title} (${status})`, ...told, ...advice };
  }
  const isKey = status === UNAUTHORIZED || status === FORBIDDEN;
  const busy = status === TOO_MANY ? { advice: labels.theProvidersRateLimit } : {};
  return { title: labels.returned(provider, status), ...told, ...(isKey ? KEY_REFUSED : busy) };
}

/** There was no answer, or it broke off. */
export function faultOfFailure(error: unknown): Fault {
  if (error instanceof ApiFailure) {
    const isSignedOut = error.status === UNAUTHORIZED;
    const title = isSignedOut ? labels.notSentBecauseYou : labels.noResponse;
    return { title, message: describeFailure(error) };
  }
  return {
    title: labels.theResponseWasInterrupted,
    message: labels.theConnectionToTheServer,
  };
}

/** The last event of a stream that went wrong. */
export function faultInStream(error: unknown): Fault {
  const message = textIn(error, 'message') ?? labels.theStreamEnded;
  return {
    title: labels.theResponseWasInterrupted,
    message: sentence(message.slice(0, MAX_MESSAGE_LENGTH)),
    raw: prettyJson(JSON.stringify(error)).slice(0, MAX_RAW_LENGTH),
  };
}

/** Whichever of the usual shapes of errors it has. */
function errorIn(body: string): { code?: number; message?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body.trim() === '' ? {} : { message: body.trim() };
  }
  const { error, errors } = (parsed ?? {}) as { error?: unknown; errors?: unknown };
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message =
    textIn(first, 'message') ??
    textIn(error, 'message') ??
    (typeof error === 'string' ? error : undefined) ??
    textIn(parsed, 'message') ??
    textIn(parsed, 'detail');
  const code = (first as { code?: unknown } | undefined)?.code;
  return {
    ...(typeof code === 'number' && { code }),
    ...(message !== undefined && { message }),
  };
}

function textIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = (value as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
