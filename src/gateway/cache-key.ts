import { type Hash, createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { MaybePromise } from '../lib/maybe-promise.ts';

// Takes about a millisecond.
const BYTES_PER_STRETCH = 1024 * 1024;

/** On whose behalf a provider answers: what it said to one is never told to another. */
export interface CacheIdentity {
  /** Who is admitted; all null: nobody in particular, on an open gateway. */
  caller: { tokenId: string | null; userId: string | null };
  /**
   * Names and values in turn of the headers in which the caller's own credential goes to the provider;
   * empty when a key of this server is used.
   */
  credentials: readonly string[];
  /** Which stored key is used; undefined: none, or the operator's. */
  storedKeyId?: string | undefined;
}

/** All that an answer depends on. */
export interface CacheKeyParts {
  accountId: string;
  gatewayId: string;
  /** The gateway's: answers of an earlier one are not found any more. */
  generation: number;
  identity: CacheIdentity;
  provider: string;
  method: string;
  /** At the provider, with the query. */
  path: string;
  /** In which words the client is answered, such as the operation's name: one path may serve several. */
  wayShape: string;
  /** Names and values in turn of other headers that shape the answer (see ANSWER_SHAPING_HEADERS). */
  headers: readonly string[];
  body: Buffer;
  /** Of `cf-aig-cache-key`: stands for the body. */
  customKey: string | undefined;
}

/** Request headers by which providers choose what to answer, and on whose bill. */
export const ANSWER_SHAPING_HEADERS: readonly string[] = [
  'anthropic-beta',
  'anthropic-version',
  'openai-beta',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
];

/**
 * The key of an answer in the cache: SHA-256 in base64url over all parts, each with its length before
 * it, so that no two lists of parts run together.
 * @returns without a promise for a body of ordinary size
 */
export function cacheKeyOf(parts: CacheKeyParts): MaybePromise<string> {
  const { caller, credentials, storedKeyId } = parts.identity;
  const hash = createHash('sha256');
  addTexts(hash, [
    parts.accountId,
    parts.gatewayId,
    String(parts.generation),
    parts.provider,
    parts.method,
    parts.path,
    parts.wayShape,
  ]);
  addTexts(hash, [caller.tokenId ?? '', caller.userId ?? '', storedKeyId ?? '']);
  addTexts(hash, credentials);
  addTexts(hash, parts.headers);
  if (parts.customKey !== undefined) {
    addTexts(hash, ['key', parts.customKey]);
    return hash.digest('base64url');
  }
  addTexts(hash, ['body']);
  if (parts.body.length > BYTES_PER_STRETCH) return digestInStretches(hash, parts.body);
  return hash.update(parts.body).digest('base64url');
}

/** Adds a list: how many there are, then each with its length. */
function addTexts(hash: Hash, texts: readonly string[]): void {
  hash.update(`${texts.length}:`);
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:${text}`);
}

async function digestInStretches(hash: Hash, body: Buffer): Promise<string> {
  for (let start = 0; start < body.length; start += BYTES_PER_STRETCH) {
    if (start > 0) await yieldToEventLoop();
    hash.update(body.subarray(start, start + BYTES_PER_STRETCH));
  }
  return hash.digest('base64url');
}
