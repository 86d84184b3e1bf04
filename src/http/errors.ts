/** One row of an error table. Every code is declared once, in its domain's table. */
export interface ErrorDefinition {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** One entry of the envelope's `errors`. */
export interface ErrorEntry {
  code: number;
  message: string;
  documentation_url?: string;
  source?: { pointer: string };
}

/** Declares an error table; only fixes its type. */
export function defineErrors<T extends Record<string, ErrorDefinition>>(table: T): T {
  return table;
}

export interface ApiErrorOptions {
  /** Replaces the table's message where the answer should be more exact. */
  message?: string;
  /** JSON pointer into the body, or the name of the parameter, that is at fault. */
  pointer?: string;
  /** Response headers, lower case. */
  headers?: Record<string, string>;
  /** The `result` of the failure. Only a failed precondition has one. */
  result?: object;
  /** What went wrong inside; written to the log, never to the wire. */
  cause?: unknown;
}

/** Thrown by domains to refuse a request; the error handler turns it into the response. */
export class ApiError extends Error {
  readonly status: number;
  readonly entries: ErrorEntry[];
  readonly headers: Record<string, string>;
  readonly result: object | undefined;

  constructor(status: number, entries: ErrorEntry[], options: ApiErrorOptions = {}) {
    super(entries[0]?.message, { cause: options.cause });
    this.status = status;
    this.entries = entries;
    this.headers = options.headers ?? {};
    this.result = options.result;
  }
}

/** One entry for the envelope, from the table's row. */
export function errorEntry(definition: ErrorDefinition, options: ApiErrorOptions = {}): ErrorEntry {
  const entry: ErrorEntry = {
    code: definition.code,
    message: options.message ?? definition.message,
  };
  if (options.pointer !== undefined) entry.source = { pointer: options.pointer };
  return entry;
}

/** The error for one row of a table. */
export function apiError(definition: ErrorDefinition, options: ApiErrorOptions = {}): ApiError {
  return new ApiError(definition.status, [errorEntry(definition, options)], options);
}

/** The errors of the HTTP layer itself. Rows marked (ours) fill what the public clients leave open. */
export const httpErrors = defineErrors({
  rateLimited: { status: 429, code: 971, message: 'Rate limited' },
  internal: { status: 500, code: 1000, message: 'Internal server error' },
  unavailable: { status: 503, code: 1001, message: 'Service temporarily unavailable' },
  malformedAuthorization: { status: 400, code: 6003, message: 'Invalid request headers' },
  malformedJson: { status: 400, code: 6007, message: 'Malformed JSON in request body' },
  invalidParameter: { status: 400, code: 6010, message: 'Invalid request parameter' },
  malformedRequest: { status: 400, code: 6011, message: 'Malformed HTTP request' },
  requestTimeout: { status: 408, code: 6012, message: 'Request was not received in time' },
  headersTooLarge: { status: 431, code: 6013, message: 'Request headers too large' },
  idempotencyKeyReused: {
    status: 422,
    code: 6014,
    message: 'Idempotency-Key was used for another request',
  },
  invalidIdempotencyKey: {
    status: 400,
    code: 6015,
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters',
  },
  preconditionFailed: { status: 412, code: 6016, message: 'Precondition Failed' },
  methodNotAllowed: { status: 405, code: 7001, message: 'Method not allowed' },
  bodyTooLarge: { status: 413, code: 7002, message: 'Request body too large' },
  notFound: {
    status: 404,
    code: 7003,
    message: 'Could not route to PATH, perhaps your object identifier is invalid?',
  },
  notJson: { status: 415, code: 7004, message: 'Request body must be application/json' },
  unauthenticated: { status: 401, code: 10_000, message: 'Authentication error' },
  forbidden: { status: 403, code: 10_000, message: 'Forbidden' },
});

/** No such route, or an identifier that no object has. */
export function notFound(path: string): ApiError {
  return apiError(httpErrors.notFound, {
    // A function: in a text, `$&` and its like would mean something.
    message: httpErrors.notFound.message.replace('PATH', () => path),
  });
}

/**
 * The refusal of a request that may succeed later.
 * @param retryAfterSeconds when it is worth another try
 */
export function unavailable(reason: string, cause?: unknown, retryAfterSeconds = 1): ApiError {
  return apiError(httpErrors.unavailable, {
    message: `${httpErrors.unavailable.message}: ${reason}`,
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });
}

/** Why the server cannot do now what it may be able to do later. */
export interface Trouble {
  /** In words that a caller may read. */
  reason: string;
  retryAfterSeconds: number;
}

/** What an error says about that on which the server stands; undefined when it is about the request. */
export type TroubleOf = (error: unknown) => Trouble | undefined;
