import {
  isObject,
  listOf,
  memberOf,
  numberOf,
  parseJson,
  textOf,
} from '../../../lib/json-value.ts';
import { DONE, EventReader, type StreamEvent } from '../../../lib/stream/event-stream.ts';

/** What a piece of an answer adds to it. */
export interface Piece {
  text: string;
  thoughts: string;
  finish?: string;
  tokensIn?: number;
  tokensOut?: number;
  /** Instead of all the rest: it went wrong. */
  error?: unknown;
}

/** What is larger is searched again and again for its end, while the page stands still. */
const MAX_EVENT_LENGTH = 1_000_000;

/** Reads chat completions that come as a stream of events. */
export class ChatStream {
  readonly #events = new EventReader();
  /** Whether its end has come: a stream without it has broken off. */
  hasEnded = false;

  /** Whether an event is larger than any piece of an answer. */
  get isEndless(): boolean {
    return this.#events.rest.length > MAX_EVENT_LENGTH;
  }

  /** Takes the next part of the stream. */
  read(part: string): Piece[] {
    return this.#piecesOf(this.#events.read(part));
  }

  /** Everything has come. */
  end(): Piece[] {
    return this.#piecesOf(this.#events.end());
  }

  #piecesOf(events: readonly StreamEvent[]): Piece[] {
    return events.flatMap(({ data }) => {
      if (data.trim() === DONE) {
        this.hasEnded = true;
        return [];
      }
      const piece = pieceOf(data, 'delta');
      if (piece?.finish !== undefined) this.hasEnded = true;
      return piece === undefined ? [] : [piece];
    });
  }
}

/** Reads a chat completion that came as a whole; undefined for what is none. */
export function readCompletion(body: string): Piece | undefined {
  return pieceOf(body, 'message');
}

function pieceOf(json: string, part: 'delta' | 'message'): Piece | undefined {
  const parsed = parseJson(json);
  if (!isObject(parsed)) return undefined;
  const error = memberOf(parsed, 'error') ?? undefined;
  if (error !== undefined) return { text: '', thoughts: '', error };
  const [choice] = listOf(parsed, 'choices');
  const usage = memberOf(parsed, 'usage');
  if (!isObject(choice) && !isObject(usage)) return undefined;
  const said = memberOf(choice, part);
  const finish = textOf(choice, 'finish_reason');
  const tokensIn = numberOf(usage, 'prompt_tokens');
  const tokensOut = numberOf(usage, 'completion_tokens');
  return {
    text: contentOf(said, 'content') || contentOf(said, 'refusal'),
    thoughts: contentOf(said, 'reasoning_content') || contentOf(said, 'reasoning'),
    ...(finish !== undefined && { finish }),
    ...(tokensIn !== undefined && { tokensIn }),
    ...(tokensOut !== undefined && { tokensOut }),
  };
}

/** A text, or the texts of a list of parts. */
function contentOf(value: unknown, name: string): string {
  const parts = listOf(value, name).map((part) => contentOf(part, 'text'));
  return textOf(value, name) ?? parts.join('');
}
