import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';

/** Longer ones are sent in parts: this many are what a page has unless it is asked for more. */
const LONG_LIST_ITEMS = 20;
/** So much JSON is made in one go, which takes a millisecond, or one item that is larger. */
const CHARACTERS_PER_TURN = 64 * 1024;

type Json = Record<string, unknown>;

const EMPTY_RESULT = '"result":[]';

/** Whether a list is so long that to turn it into JSON at once would hold up everybody else. */
export function isLongList(result: unknown): result is unknown[] {
  return Array.isArray(result) && result.length > LONG_LIST_ITEMS;
}

/**
 * The same JSON of a success as Fastify makes. What is long is made in parts: between them other requests
 * get their turn, and the next one is made when the client has taken those before.
 * @param itemSchema of one item; that of the envelope is the route's
 */
export function serializeLongList(
  reply: FastifyReply,
  envelope: Record<string, unknown>,
  items: readonly unknown[],
  itemSchema: TSchema,
): string | Readable {
  const parts = partsOf(reply, envelope, items, itemSchema);
  const first = parts.next();
  // Most pages are one part: a stream of it would cost more than making it.
  return first.done === true ? first.value : Readable.from(inTurns(first, parts));
}

async function* inTurns(
  first: IteratorResult<string, string>,
  others: Iterator<string, string>,
): AsyncGenerator<string> {
  for (let part = first; ; part = others.next()) {
    yield part.value;
    if (part.done === true) return;
    await nextTurn();
  }
}

/** The last part is returned instead of yielded. */
function* partsOf(
  reply: FastifyReply,
  envelope: Record<string, unknown>,
  items: readonly unknown[],
  itemSchema: TSchema,
): Generator<string, string> {
  const empty = String(reply.serializeInput({ ...envelope, result: [] }, '200'));
  // In a text the quotation marks would be escaped, so it stands there once.
  const [before = '', after = ''] = empty.split(EMPTY_RESULT);
  let part = `${before}"result":[`;
  for (const [index, item] of items.entries()) {
    if (part.length >= CHARACTERS_PER_TURN) {
      yield part;
      part = '';
    }
    part += (index === 0 ? '' : ',') + reply.serializeInput(item as Json, itemSchema as Json);
  }
  return `${part}]${after}`;
}
