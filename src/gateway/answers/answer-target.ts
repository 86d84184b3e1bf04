import type { ErrorDefinition } from '../../http/errors.ts';
import { type Head, type StartRecording, isEventStream } from './answer.ts';
import type { Recording } from '../cache/answer-cache.ts';
import { type Dialect, errorEvent } from '../exchange.ts';
import type { Outlet } from '../outlet.ts';
import type { Usage } from '../usage/usage.ts';

/** The client's end of an answer. */
export class AnswerTarget {
  readonly head: Head;
  readonly #outlet: Outlet;
  readonly #record: StartRecording | undefined;
  readonly #dialect: Dialect;
  #recording: Recording | undefined;

  constructor(outlet: Outlet, head: Head, record: StartRecording | undefined, dialect: Dialect) {
    this.head = head;
    this.#outlet = outlet;
    this.#record = record;
    this.#dialect = dialect;
  }

  begin(): void {
    if (this.#outlet.hasBegun) return;
    const { status, headers, contentType } = this.head;
    if (status >= 200 && status < 300) this.#recording = this.#record?.(this.head);
    this.#outlet.begin(status, headers, isEventStream(contentType));
  }

  write(chunk: Buffer): boolean {
    this.begin();
    this.#recording?.feed(chunk);
    return this.#outlet.write(chunk);
  }

  /** Everything that is left, and the end. */
  end(chunk?: Buffer): void {
    this.begin();
    if (chunk !== undefined) this.#recording?.feed(chunk);
    this.#outlet.end(chunk);
  }

  complete(usage: Usage): void {
    this.#recording?.commit(usage);
  }

  abandon(): void {
    this.#recording?.discard();
  }

  /** The status is out: an event stream can still say what happened, anything else is cut. */
  fail(definition: ErrorDefinition): void {
    this.#recording?.discard();
    const isStream = isEventStream(this.head.contentType);
    this.#outlet.breakOff(definition, isStream ? errorEvent(this.#dialect, definition) : undefined);
  }
}
