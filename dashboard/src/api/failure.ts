interface ErrorEntry {
  code: number;
  message: string;
  source?: { pointer: string };
}

/** A fault of one member of what was sent. */
export interface FieldFault {
  /** Its way through the body, as forms name it: `redirect_uris.0`. */
  path: string;
  message: string;
}

/** What the API answered instead of a result, or that there was no answer at all. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  readonly entries: readonly ErrorEntry[];
  /** For whoever looks into the server's log. */
  readonly requestId: string | undefined;
  /** Seconds after which it is worth another try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    entries: readonly ErrorEntry[],
    headers?: Headers,
    options?: ErrorOptions,
  ) {
    super(entries.map(({ message }) => message).join('; '), options);
    this.status = status;
    this.entries = entries;
    this.requestId = headers?.get('x-request-id') ?? undefined;
    const retryAfter = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  }

  /** Code of the first error, see the reference of errors; undefined when there was no answer. */
  get code(): number | undefined {
    return this.entries[0]?.code;
  }

  /** What is wrong with which field. */
  get fieldFaults(): FieldFault[] {
    return this.entries.flatMap(({ message, source }) =>
      source === undefined ? [] : [{ path: pathOf(source.pointer), message }],
    );
  }

  /** Whether the answer did not come in time. */
  get isTimeout(): boolean {
    return this.cause instanceof DOMException && this.cause.name === 'TimeoutError';
  }

  /** Whether it may work when it is tried again as it is. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A JSON pointer (RFC 6901) as forms name fields. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

const NO_ANSWER = 'The server cannot be reached. Check your connection and try again.';
const TOO_SLOW = 'The server took too long to answer. Try again.';
const NO_RESULT = 'The response did not come from the API. Try again.';

const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** Whether an error says that there is no such thing, or no more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === NOT_FOUND;
}

/**
 * Whether it is of no use to ask again by itself: there is no such thing, or the person may not see it, and
 * each refusal would be another entry of the audit log.
 */
export function isFinal(error: unknown): boolean {
  return isGone(error) || (error instanceof ApiFailure && error.status === FORBIDDEN);
}

/** How often something is read anew by itself: as often as is wished, until that is of no use. */
export function unlessFinal(everyMs: number | false) {
  return ({ state }: { state: { error: unknown } }): number | false =>
    !isFinal(state.error) && everyMs;
}

/** A refusal that names no member of the body, with the field that its code is about. */
export function atField(error: unknown, fields: Readonly<Record<number, string>>): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const entries = error.entries.map((entry) => {
    const field = fields[entry.code];
    return field === undefined ? entry : { ...entry, source: { pointer: `/${field}` } };
  });
  return new ApiFailure(error.status, entries);
}

/** There was no answer: the network, the server, or its patience. */
export function noAnswer(error: unknown): ApiFailure {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  const entries = [{ code: 0, message: isTimeout ? TOO_SLOW : NO_ANSWER }];
  return new ApiFailure(0, entries, undefined, { cause: error });
}

/** There was an answer, but none that the API gives. */
export function noResult(): ApiFailure {
  return new ApiFailure(0, [{ code: 0, message: NO_RESULT }]);
}

/** Reads the refusal in an answer; whatever stands between us and the server may have made it. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  const entries = Array.isArray(errors) ? errors.filter(isEntry) : [];
  if (entries.length === 0) {
    entries.push({ code: 0, message: `The server answered with status ${status}.` });
  }
  return new ApiFailure(status, entries, headers);
}

function isEntry(entry: unknown): entry is ErrorEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { code, message, source } = entry as Partial<Record<keyof ErrorEntry, unknown>>;
  const pointer = (source as { pointer?: unknown } | null | undefined)?.pointer;
  const isPointed = source === undefined || typeof pointer === 'string';
  return typeof code === 'number' && typeof message === 'string' && isPointed;
}

/** What went wrong, in a sentence for the person. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiFailure)) return 'This page failed. Reload it.';
  const { status, message, retryAfterSeconds } = error;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  if (status !== 429 || retryAfterSeconds === undefined) return sentence;
  return `${sentence} Try again in ${retryAfterSeconds} s.`;
}
