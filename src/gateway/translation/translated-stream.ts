import { createParser } from 'eventsource-parser';
import type { ErrorDefinition } from '../../http/errors.ts';
import type { AnswerTarget } from '../answers/answer-target.ts';
import type { Answer } from '../answers/answer.ts';
import { isUsageChunk } from '../answers/usage-chunk.ts';
import { writeEvent } from '../answers/write-event.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { RouteTranslation } from '../resolve-route.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import type { Usage } from '../usage/usage.ts';
import type { ServerSentEvent, StreamTranslation } from './translation.ts';

// An event may hold a whole picture.
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** A stream of events. */
export class TranslatedStream implements Answer {
  readonly #target: AnswerTarget;
  readonly #usage: UsageReader;
  readonly #translation: StreamTranslation;
  readonly #asksUsage: boolean;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #isBroken = false;
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onComment: () => this.ping(),
    onEvent: ({ event, data }) => {
      if (event === 'ping') return this.ping();
      if (this.#asksUsage && isUsageChunk(data)) return;
      const one: ServerSentEvent = event === undefined ? { data } : { event, data };
      this.#pending += this.#translation.event(one).map(writeEvent).join('');
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#isBroken = true;
    },
  });

  /** @param asksUsage the client did not ask for the usage that the provider tells */
  constructor(
    target: AnswerTarget,
    usage: UsageReader,
    { translation, asked }: RouteTranslation,
    holdsHead: boolean,
    asksUsage: boolean,
  ) {
    this.#target = target;
    this.#usage = usage;
    this.#translation = translation.stream(asked);
    this.#asksUsage = asksUsage;
    delete target.head.headers['content-length'];
    delete target.head.headers['content-encoding'];
    target.head.headers['content-type'] = 'text/event-stream; charset=utf-8';
    if (!holdsHead) target.begin();
  }

  feed(chunk: Buffer): boolean {
    this.#usage.feed(chunk);
    if (this.#isBroken) return true;
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    const text = this.#taken();
    return text === '' ? true : this.#target.write(Buffer.from(text));
  }

  ping(): void {
    this.#target.ping();
  }

  async end(): Promise<ErrorDefinition | undefined> {
    const failure = this.#usage.failure?.();
    if (this.#isBroken) {
      this.fail(gatewayErrors.upstreamFailed);
      return gatewayErrors.upstreamFailed;
    }
    this.#parser.reset({ consume: true });
    this.#pending += this.#translation.end().map(writeEvent).join('');
    // Most translations report the early end themselves, in the terms of the client's API.
    if (failure === 'incomplete' && !this.#pending.includes('"error"')) {
      this.fail(gatewayErrors.upstreamFailed);
      return gatewayErrors.upstreamFailed;
    }
    this.#target.end(Buffer.from(this.#taken()));
    if (failure !== undefined) {
      this.#target.abandon();
      return gatewayErrors.upstreamFailed;
    }
    this.#target.complete(this.#usage.read());
    return undefined;
  }

  #taken(): string {
    const text = this.#pending;
    this.#pending = '';
    return text;
  }

  fail(definition: ErrorDefinition): void {
    this.#target.begin();
    this.#target.fail(definition);
  }

  abandon(): void {
    this.#target.abandon();
  }

  isComplete(): boolean {
    return this.#usage.isComplete?.() === true;
  }

  usage(): Usage {
    return this.#usage.read();
  }
}
