import { type Hash, createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

// Takes about a millisecond.
const BYTES_PER_STRETCH = 1024 * 1024;

/** On whose behalf a provider answers: what it said to one is never told to another. */
export interface CacheIdentity {
  /** Who is admitted; all null: nobody in particular, on an open gateway. */
  caller: { tokenId: string | null; userId: string | null };
  /** The key of this server that is used; undefined: none, but perhaps one among the headers. */
  lentKey: string | undefined;
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
  /** Names and values in turn of all headers that the provider gets, but those that tell nothing. */
  headers: readonly string[];
  body: Buffer;
  /** Of `cf-aig-cache-key`: stands for the body. */
  customKey: string | undefined;
}

/**
 * The key of an answer in the cache: SHA-256 in base64url over all parts, each with its length before
 * it, so that no two lists of parts run together.
 */
export async function cacheKeyOf(parts: CacheKeyParts): Promise<string> {
  const { caller, lentKey } = parts.identity;
  // One text, since each update of a hash takes as long as to hash a kilobyte.
  const texts =
    listOf([
      parts.accountId,
      parts.gatewayId,
      String(parts.generation),
      parts.provider,
      parts.method,
      parts.path,
      parts.wayShape,
    ]) +
    listOf([caller.tokenId ?? '', caller.userId ?? '']) +
    listOf(lentKey === undefined ? [] : [lentKey]) +
    listOf(parts.headers);
  if (parts.customKey !== undefined) {
    return createHash('sha256')
      .update(texts + listOf(['key', parts.customKey]))
      .digest('base64url');
  }
  const hash = createHash('sha256').update(texts + listOf(['body']));
  if (parts.body.length > BYTES_PER_STRETCH) return digestInStretches(hash, parts.body);
  return hash.update(parts.body).digest('base64url');
}

/**
 * A list as one text: how many there are, then each with its length. Half a character counts as the one that it is
 * hashed as.
 */
function listOf(texts: readonly string[]): string {
  let list = `${texts.length}:`;
  for (const text of texts) list += `${text.length}:${text}`;
  return list;
}

async function digestInStretches(hash: Hash, body: Buffer): Promise<string> {
  for (let start = 0; start < body.length; start += BYTES_PER_STRETCH) {
    if (start > 0) await yieldToEventLoop();
    hash.update(body.subarray(start, start + BYTES_PER_STRETCH));
  }
  return hash.digest('base64url');
}
