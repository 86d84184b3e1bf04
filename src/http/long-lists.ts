import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';

/** Longer ones are sent in parts: this many are what a page has unless it is asked for more. */
const LONG_LIST_ITEMS = 20;
/** Items that are turned into JSON in one go: some milliseconds with the largest that there are. */
const ITEMS_PER_TURN = 10;

type Json = Record<string, unknown>;

const EMPTY_RESULT = '"result":[]';

/** Whether a list is so long that to turn it into JSON at once would hold up everybody else. */
export function isLongList(result: unknown): result is unknown[] {
  return Array.isArray(result) && result.length > LONG_LIST_ITEMS;
}

/**
 * The same JSON of a success as Fastify makes, in parts: between them other requests get their turn,
 * and the next one is made when the client has taken those before.
 * @param itemSchema of one item; that of the envelope is the route's
 */
export function streamLongList(
  reply: FastifyReply,
  envelope: Record<string, unknown>,
  items: readonly unknown[],
  itemSchema: TSchema,
): Readable {
  const empty = String(reply.serializeInput({ ...envelope, result: [] }, '200'));
  // In a text the quotation marks would be escaped, so it stands there once.
  const [before = '', after = ''] = empty.split(EMPTY_RESULT);
  const serialize = (item: unknown): string =>
    reply.serializeInput(item as Json, itemSchema as Json);
  async function* parts(): AsyncGenerator<string> {
    yield `${before}"result":[`;
    for (let start = 0; start < items.length; start += ITEMS_PER_TURN) {
      await nextTurn();
      const some = items.slice(start, start + ITEMS_PER_TURN);
      const texts = some.map((item) => serialize(item));
      yield (start === 0 ? '' : ',') + texts.join(',');
    }
    yield `]${after}`;
  }
  return Readable.from(parts());
}
