import type { ErrorDefinition } from '../../http/errors.ts';
import { type Head, type StartKeeping, type StartRecording, isEventStream } from './answer.ts';
import type { Recording } from '../cache/answer-cache.ts';
import type { KeptBody } from '../logs/capture/kept-body.ts';
import { type Dialect, errorEvent } from '../exchange.ts';
import type { Outlet } from '../outlet.ts';
import type { Usage } from '../usage/usage.ts';

/** The client's end of an answer. */
export class AnswerTarget {
  readonly head: Head;
  readonly #outlet: Outlet;
  readonly #record: StartRecording | undefined;
  readonly #keep: StartKeeping | undefined;
  readonly #dialect: Dialect;
  #recording: Recording | undefined;
  #kept: KeptBody | undefined;

  /**
   * @param record for the cache
   * @param keep for the log
   */
  constructor(
    outlet: Outlet,
    head: Head,
    record: StartRecording | undefined,
    keep: StartKeeping | undefined,
    dialect: Dialect,
  ) {
    this.head = head;
    this.#outlet = outlet;
    this.#record = record;
    this.#keep = keep;
    this.#dialect = dialect;
  }

  begin(): void {
    if (this.#outlet.hasBegun) return;
    const { status, headers, contentType } = this.head;
    if (status >= 200 && status < 300) this.#recording = this.#record?.(this.head);
    this.#kept = this.#keep?.(headers);
    this.#outlet.begin(status, headers, isEventStream(contentType));
  }

  write(chunk: Buffer): boolean {
    this.begin();
    this.#recording?.feed(chunk);
    this.#kept?.feed(chunk);
    return this.#outlet.write(chunk);
  }

  /** Everything that is left, and the end. */
  end(chunk?: Buffer): void {
    this.begin();
    if (chunk !== undefined) {
      this.#recording?.feed(chunk);
      this.#kept?.feed(chunk);
    }
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
    const event = isStream ? errorEvent(this.#dialect, definition) : undefined;
    if (event !== undefined) this.#kept?.feed(Buffer.from(event));
    this.#outlet.breakOff(definition, event);
  }
}
