import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../json/json-fields.ts';

/** An error that a provider reports in the body of a response. */
export interface EmbeddedError {
  /** HTTP status that its `code`, `type` or `status` names; 502 if none does. */
  status: number;
  /** The body is a complete object of the provider's API, such as a failed response, and not only an error. */
  isObject: boolean;
  /** The response ended before it contained an event, or a JSON object where one is required. */
  isIncomplete: boolean;
  /** The same request will fail again, such as after the end of a quota. */
  isPermanent?: true;
  /** The provider asks for this wait, in milliseconds. */
  retryAfterMs?: number;
}

const UNKNOWN_STATUS = 502;
/** The verdict on a response that ends too early. */
export const INCOMPLETE: EmbeddedError = {
  status: UNKNOWN_STATUS,
  isObject: false,
  isIncomplete: true,
};

/** The verdict on an error event whose data is no JSON. */
export const UNKNOWN_ERROR: EmbeddedError = {
  status: UNKNOWN_STATUS,
  isObject: false,
  isIncomplete: false,
};

const MIN_ERROR_STATUS = 400;
const MAX_ERROR_STATUS = 599;

/** HTTP status by the codes and types of OpenAI, Anthropic, Google and others, in lower case. */
const STATUS_BY_NAME: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_argument', 400],
  ['failed_precondition', 400],
  ['out_of_range', 400],
  ['bad_request', 400],
  ['context_length_exceeded', 400],
  ['invalid_prompt', 400],
  ['content_policy_violation', 400],
  ['content_filter', 400],
  ['authentication_error', 401],
  ['unauthenticated', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['insufficient_credits', 402],
  ['permission_error', 403],
  ['permission_denied', 403],
  ['not_found_error', 404],
  ['not_found', 404],
  ['model_not_found', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['resource_exhausted', 429],
  ['too_many_requests', 429],
  ['tokens', 429],
  ['requests', 429],
  ['insufficient_quota', 429],
  ['throttlingexception', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['internal', 500],
  ['internal_error', 500],
  ['internal_server_error', 500],
  ['unavailable', 503],
  ['service_unavailable', 503],
  ['service_unavailable_error', 503],
  ['deadline_exceeded', 504],
  ['timeout_error', 504],
  ['timeout', 504],
  ['overloaded_error', 529],
  ['overloaded', 529],
]);

/** Events with one of these types report an error without a member `error`. */
const ERROR_EVENTS: ReadonlySet<unknown> = new Set(['error', 'response.error', 'response.failed']);

/** Members that contain what a caller asked for. */
const RESULTS = ['choices', 'candidates', 'content', 'output', 'data'] as const;

/**
 * Finds the error in a JSON body, or in the first element of a list, as Gemini streams send it.
 * @param eventName name of the server-sent event whose data the value is
 */
export function findEmbeddedError(value: unknown, eventName?: string): EmbeddedError | undefined {
  const body = objectIn(Array.isArray(value) ? value[0] : value);
  const response = objectIn(body.response);
  const isErrorEvent = ERROR_EVENTS.has(body.type) || ERROR_EVENTS.has(eventName);
  const error = [body.error, response.error].find(isError) ?? (isErrorEvent ? body : undefined);
  if (error === undefined) return undefined;
  if (!isErrorEvent && RESULTS.some((member) => hasItems(body[member]))) return undefined;
  return {
    status: statusOf(error, body),
    isObject: typeof body.status === 'string',
    isIncomplete: false,
    ...retryHintsIn(error),
  };
}

/** Codes and types of errors with the status of a rate limit that no wait ends. */
const PERMANENT: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'insufficient_credits',
  'billing_hard_limit_reached',
  'billing_not_active',
]);
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
/** A duration in JSON, by the protocol buffers of Google. */
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?s$/;

function retryHintsIn(error: unknown): Pick<EmbeddedError, 'isPermanent' | 'retryAfterMs'> {
  const { code, type, details } = objectIn(error);
  if (PERMANENT.has(code) || PERMANENT.has(type)) return { isPermanent: true };
  const info = objectsIn(details).find((one) => one['@type'] === RETRY_INFO);
  const delay = textIn(info?.retryDelay) ?? '';
  return SECONDS.test(delay) ? { retryAfterMs: Number.parseFloat(delay) * 1_000 } : {};
}

function isError(error: unknown): boolean {
  return isObject(error)
    ? Object.keys(error).length > 0
    : typeof error === 'string' && error !== '';
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function statusOf(error: unknown, body: JsonObject): number {
  const { code, type, status } = objectIn(error);
  // Google names the error in `status` and in the first of its `details`.
  const [{ reason } = {}] = objectsIn(objectIn(error).details);
  for (const name of [code, status, type, reason, body.code, body.type]) {
    const named = typeof name === 'number' ? name : Number(textIn(name) ?? Number.NaN);
    if (named >= MIN_ERROR_STATUS && named <= MAX_ERROR_STATUS) return Math.trunc(named);
    const known = STATUS_BY_NAME.get(textIn(name)?.toLowerCase() ?? '');
    if (known !== undefined) return known;
  }
  return UNKNOWN_STATUS;
}
