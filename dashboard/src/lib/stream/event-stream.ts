import { parseJson } from '../json-value.ts';

/** One event of a stream. */
export interface StreamEvent {
  /** Of its `event` line; most APIs have none. */
  name: string | undefined;
  data: string;
}

// The second half of a line end may come with the next piece.
const LINE_END = /\r\n|\n|\r(?!$)/g;

/** Reads server-sent events (HTML standard, section 9.2.6) from a text that comes in pieces. */
export class EventReader {
  #rest = '';
  #line = '';
  #name: string | undefined;
  #data: string[] = [];

  /** What stands behind the last whole event. */
  get rest(): string {
    return this.#rest;
  }

  /** Takes the next piece; gives the events that it completes. */
  read(piece: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    this.#rest += piece;
    const text = this.#line + piece;
    let position = 0;
    for (const { index, 0: end } of text.matchAll(LINE_END)) {
      const line = text.slice(position, index);
      position = index + end.length;
      if (line === '') {
        events.push(...this.#dispatch());
        this.#rest = text.slice(position);
      } else this.#take(line);
    }
    this.#line = text.slice(position);
    return events;
  }

  /** Everything has come. Some providers leave out the empty line behind the last event. */
  end(): StreamEvent[] {
    const rest = this.#rest;
    const last = this.read('\n\n');
    if (last.length > 0 && last.every(isWhole)) return last;
    this.#rest = rest;
    return [];
  }

  #take(line: string): void {
    const [, field = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
  }

  #dispatch(): StreamEvent[] {
    const event = { name: this.#name, data: this.#data.join('\n') };
    const hasData = this.#data.length > 0;
    [this.#name, this.#data] = [undefined, []];
    return hasData ? [event] : [];
  }
}

/** Server-sent events as they were kept. */
export interface EventStream {
  events: StreamEvent[];
  /** What stands behind the last whole event: the stream broke off there, or was cut. */
  rest: string;
}

const BOM = '\uFEFF';

/** Splits a text into its events. */
export function parseEventStream(text: string): EventStream {
  const reader = new EventReader();
  const events = reader.read(text.startsWith(BOM) ? text.slice(BOM.length) : text);
  return { events: [...events, ...reader.end()], rest: reader.rest };
}

/** What ends a stream of the OpenAI API. */
export const DONE = '[DONE]';

function isWhole({ data }: StreamEvent): boolean {
  return data === DONE || parseJson(data) !== undefined;
}
