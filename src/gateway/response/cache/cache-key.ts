import { type Hash, createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

// Takes about a millisecond.
const BYTES_PER_STRETCH = 1024 * 1024;

/** The client and the key of a call. The cache never returns a response to another client. */
export interface CacheIdentity {
  /** The admitted client. All null: an unauthenticated client. */
  caller: { tokenId: string | null; userId: string | null };
  /** The key of this server in the call. Undefined: none; the headers may contain a key of the client. */
  providerKey: string | undefined;
}

/** Everything that a response depends on. */
export interface CacheKeyParts {
  accountId: string;
  gatewayId: string;
  /** Cache generation of the gateway. Responses of earlier generations are not found. */
  generation: number;
  identity: CacheIdentity;
  provider: string;
  method: string;
  /** Path and query at the provider. */
  path: string;
  /** The format of the response, such as the name of the operation: one path may serve several. */
  shape: string;
  /** Alternating names and values of the headers that the provider gets, without those that never matter. */
  headers: readonly string[];
  body: Buffer;
  /** Value of `cf-aig-cache-key`, which replaces the body. */
  customKey: string | undefined;
}

/**
 * Returns the key of a response in the cache: SHA-256 in base64url over all parts. The length precedes each part, so
 * that no two lists of parts are equal as text.
 */
export async function cacheKeyOf(parts: CacheKeyParts): Promise<string> {
  const { caller, providerKey } = parts.identity;
  // One text, since each update of a hash takes as long as to hash a kilobyte.
  const texts =
    listOf([
      parts.accountId,
      parts.gatewayId,
      String(parts.generation),
      parts.provider,
      parts.method,
      parts.path,
      parts.shape,
    ]) +
    listOf([caller.tokenId ?? '', caller.userId ?? '']) +
    listOf(providerKey === undefined ? [] : [providerKey]) +
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
 * Joins a list: the number of texts, then each text after its length. A lone surrogate counts as the replacement
 * character as which it is hashed.
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
