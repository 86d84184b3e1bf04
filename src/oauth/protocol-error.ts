/**
 * The error codes of the protocols: RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1, RFC 8707
 * section 2, OpenID Connect Core section 3.1.2.6.
 */
export type ProtocolErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'insufficient_scope'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

interface ProtocolErrorOptions {
  /** Default: 400. */
  status?: number;
  /** Response headers, lower case. */
  headers?: Record<string, string>;
  /** What went wrong inside; written to the log, never to the wire. */
  cause?: unknown;
}

/** Refuses a request of the OAuth protocols; its endpoint turns it into the answer. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param description in words for developers; see {@link describable} for what may stand in it */
  constructor(code: ProtocolErrorCode, description: string, options: ProtocolErrorOptions = {}) {
    super(describable(description), { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 400;
    this.headers = options.headers ?? {};
  }
}

/** RFC 6749 section 5.2: a description is ASCII without quotation mark and backslash. */
function describable(text: string): string {
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
}
