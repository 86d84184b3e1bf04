import { decodePath } from '../pricing/free-calls.ts';
import { JsonMembers, type WantedMembers } from '../usage/json-members.ts';
import { createUsageReader } from '../usage/usage-reader.ts';
import type { Usage } from '../usage/usage.ts';
import type { JsonObject } from '../json/json-fields.ts';
import type { UpstreamRoute } from '../gateway-request.ts';

/**
 * APIs of calls that a provider processes after its response, and of which it reports the usage: background
 * responses and batches of OpenAI, and message batches of Anthropic.
 */
export type DeferredApi = 'response' | 'batch' | 'message_batch';

/** The state of a deferred call. */
export interface DeferredState {
  isOver: boolean;
  /** The usage of each request in it; null: unknown. */
  usages: Usage[] | null;
}

/** The call has ended, and only its results contain the usage. */
export const READ_RESULTS = Symbol('read results');

// No known API has such a long path.
const MAX_PATH_LENGTH = 512;
const RESPONSES = /(?:^|\/)responses\/?$/;
const BATCHES = /^(?:v1\/)?batches\/?$/;
const MESSAGE_BATCHES = /(?:^|\/)messages\/batches\/?$/;
const DELETABLE = /(?:^|\/)(?:responses|messages\/batches)\/([\w-]{1,300})\/?$/;

/** Recognizes a call whose usage the provider reports later; undefined: any other call. */
export function deferredApiOf({
  provider,
  method,
  path,
  cost,
}: UpstreamRoute): DeferredApi | undefined {
  if (method !== 'POST' || path.length > MAX_PATH_LENGTH) return undefined;
  if (cost?.get('background') === true && RESPONSES.test(path)) return 'response';
  // Other providers with this API do not report the usage of a batch.
  if (provider.name === 'openai' && BATCHES.test(path)) return 'batch';
  return provider.name === 'anthropic' && MESSAGE_BATCHES.test(path) ? 'message_batch' : undefined;
}

/** Returns the id of the response or batch that a request deletes; undefined: it deletes none. */
export function deletedIdOf(method: string, path: string): string | undefined {
  if (method !== 'DELETE' || path.length > MAX_PATH_LENGTH) return undefined;
  // Some providers decode the whole path.
  return DELETABLE.exec(decodePath(path))?.[1];
}

/**
 * Returns the path of the state of a deferred call.
 * @param path the path of the request that began it, with its query
 */
export function statePathOf(path: string, id: string): string {
  const [base = '', ...query] = path.split('?');
  const trimmed = base.endsWith('/') ? base.slice(0, -1) : base;
  return [`${trimmed}/${encodeURIComponent(id)}`, ...query].join('?');
}

/** Returns the path of the results of a message batch, each a line of JSON. */
export function resultsPathOf(statePath: string): string {
  const [base = '', ...query] = statePath.split('?');
  return [`${base}/results`, ...query].join('?');
}

const STATE_MEMBERS: WantedMembers = new Map([
  ['status', 'whole'],
  ['processing_status', 'whole'],
  ['request_counts', 'whole'],
]);
const RUNNING: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);
const ENDED_BATCH: ReadonlySet<unknown> = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** Reads the state of a deferred call from the chunks of a response of any size. */
export class DeferredStateReader {
  readonly #api: DeferredApi;
  readonly #usage = createUsageReader('application/json');
  readonly #members = new JsonMembers(STATE_MEMBERS, (found) => (this.#found = found));
  #found: JsonObject = {};

  constructor(api: DeferredApi) {
    this.#api = api;
  }

  feed(piece: Buffer): void {
    this.#usage.feed(piece);
    this.#members.feed(piece);
  }

  /** @returns undefined for a response that the API does not have */
  read(): DeferredState | typeof READ_RESULTS | undefined {
    const { status, processing_status: processing, request_counts: counts } = this.#found;
    if (this.#api === 'message_batch') {
      if (typeof processing !== 'string') return undefined;
      return processing === 'ended' ? READ_RESULTS : { isOver: false, usages: null };
    }
    if (typeof status !== 'string') return undefined;
    const usage = this.#usage.read();
    const isKnown = usage.tokensIn !== null && usage.tokensOut !== null;
    if (this.#api === 'response') {
      return { isOver: !RUNNING.has(status), usages: isKnown ? [usage] : null };
    }
    if (!ENDED_BATCH.has(status)) return { isOver: false, usages: null };
    if ((counts as JsonObject | undefined)?.completed === 0) return { isOver: true, usages: [] };
    const hasTokens = isKnown && (usage.tokensIn ?? 0) > 0;
    return { isOver: true, usages: hasTokens ? [atBatchPrice(usage)] : null };
  }
}

// A result contains a whole message.
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads the usage of a message batch from the chunks of its results. */
export class BatchResultsReader {
  readonly usages: Usage[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** @throws Error for a line that is too long or not JSON */
  feed(piece: Buffer): void {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      this.#pieces.push(piece.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#pieces.push(piece.subarray(start));
    this.#bytes += piece.length - start;
    if (this.#bytes > MAX_LINE_BYTES) throw new Error('a result of a batch is too long');
  }

  /** Reads the last line, which may have no line feed. */
  end(): void {
    const line = Buffer.concat(this.#pieces).toString().trim();
    this.#pieces = [];
    this.#bytes = 0;
    if (line === '') return;
    const { result } = JSON.parse(line) as { result?: { message?: unknown } };
    // Requests that failed, were canceled or have expired cost nothing.
    if (result?.message === undefined) return;
    const reader = createUsageReader('application/json');
    reader.feed(Buffer.from(JSON.stringify(result.message)));
    this.usages.push(atBatchPrice(reader.read()));
  }
}

function atBatchPrice(usage: Usage): Usage {
  return { ...usage, facts: { ...usage.facts, serviceTier: 'batch' } };
}
