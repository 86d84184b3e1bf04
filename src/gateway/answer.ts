import { createParser } from 'eventsource-parser';
import type { ErrorDefinition } from '../http/errors.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Recording } from './cache.ts';
import { DecodedAnswer, DecodedUsageReader } from './decoded-answer.ts';
import { errorEvent } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import { firstOf } from './headers.ts';
import type { Outlet, ResponseHeaders } from './outlet.ts';
import type { Route, RouteTranslation } from './resolve-route.ts';
import type { ServerSentEvent, StreamTranslation } from './translation/translation.ts';
import { type UsageReader, createUsageReader } from './usage-reader.ts';
import type { Usage } from './usage.ts';

/** What an answer begins with. */
export interface Head {
  status: number;
  headers: ResponseHeaders;
  contentType: string | undefined;
}

/** Begins a recording of an answer; undefined when there is no room for it. */
type StartRecording = (head: Head) => Recording | undefined;

/** Takes one answer of a provider, piece by piece, and passes it on. */
export interface Answer {
  /** @returns false when the client does not keep up: wait for `outlet.drained` */
  feed(chunk: Buffer): boolean;
  /**
   * The provider's answer is complete. A promise where there is something to wait for still.
   * @returns why the client got another one, where nobody can make anything of the provider's
   */
  end(): MaybePromise<ErrorDefinition | undefined>;
  /** The provider's answer broke off. */
  fail(definition: ErrorDefinition): void;
  /** The client left: nobody takes the rest. */
  abandon(): void;
  /** What was read of it so far. */
  usage(): Usage;
}

export function isEventStream(contentType: string | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true;
}

/**
 * The way back for an answer: translated where the route says so, else byte for byte.
 * @param holdsHead nothing is sent before the first bytes of the body have come
 * @param record for the cache; it gets what the client gets
 */
export function createAnswer(
  outlet: Outlet,
  { translation, dialect }: Route,
  head: Head,
  holdsHead: boolean,
  record: StartRecording | undefined,
): Answer {
  const usage = createUsageReader(head.contentType);
  const target = new Target(outlet, head, record, dialect);
  const encoding = firstOf(head.headers['content-encoding'])?.toLowerCase() ?? 'identity';
  if (translation === undefined) {
    const reader = encoding === 'identity' ? usage : new DecodedUsageReader(usage, encoding);
    return new VerbatimAnswer(target, reader, holdsHead);
  }
  const answer =
    isEventStream(head.contentType) && head.status < 400
      ? new TranslatedStream(target, usage, translation, holdsHead)
      : new TranslatedAnswer(target, usage, translation);
  return encoding === 'identity' ? answer : new DecodedAnswer(answer, encoding);
}

/** The client's end of an answer. */
class Target {
  readonly head: Head;
  readonly #outlet: Outlet;
  readonly #record: StartRecording | undefined;
  readonly #dialect: Route['dialect'];
  #recording: Recording | undefined;

  constructor(
    outlet: Outlet,
    head: Head,
    record: StartRecording | undefined,
    dialect: Route['dialect'],
  ) {
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

class VerbatimAnswer implements Answer {
  readonly #target: Target;
  readonly #usage: UsageReader;
  readonly #length: number;
  #received = 0;
  #isEnded = false;

  constructor(target: Target, usage: UsageReader, holdsHead: boolean) {
    this.#target = target;
    this.#usage = usage;
    const { headers, contentType } = target.head;
    // A stream that breaks off ends with an event of ours: its length cannot be promised.
    if (isEventStream(contentType)) delete headers['content-length'];
    this.#length = Number(headers['content-length'] ?? Number.NaN);
    // A stream may begin with silence; any other answer sends its head along with its body.
    if (isEventStream(contentType) && !holdsHead) target.begin();
  }

  feed(chunk: Buffer): boolean {
    this.#usage.feed(chunk);
    this.#received += chunk.length;
    if (this.#received !== this.#length) return this.#target.write(chunk);
    // The last one: it goes out together with the end, and often with the head.
    this.#isEnded = true;
    this.#target.end(chunk);
    return true;
  }

  end(): MaybePromise<undefined> {
    if (!this.#isEnded) this.#target.end();
    if (!(this.#usage instanceof DecodedUsageReader)) return this.#complete();
    return this.#usage.finish().then(() => this.#complete());
  }

  #complete(): undefined {
    this.#target.complete(this.#usage.read());
    return undefined;
  }

  fail(definition: ErrorDefinition): void {
    this.#target.fail(definition);
  }

  abandon(): void {
    this.#target.abandon();
  }

  usage(): Usage {
    return this.#usage.read();
  }
}

// A whole answer is held in memory until it can be translated.
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** An answer that comes all at once. */
class TranslatedAnswer implements Answer {
  readonly #target: Target;
  readonly #usage: UsageReader;
  readonly #translation: RouteTranslation;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(target: Target, usage: UsageReader, translation: RouteTranslation) {
    this.#target = target;
    this.#usage = usage;
    this.#translation = translation;
    delete target.head.headers['content-length'];
    delete target.head.headers['content-encoding'];
  }

  feed(chunk: Buffer): boolean {
    this.#usage.feed(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_ANSWER_BYTES) this.#chunks.push(chunk);
    else this.#chunks = [];
    return true;
  }

  end(): ErrorDefinition | undefined {
    const { head } = this.#target;
    const translated =
      this.#bytes <= MAX_ANSWER_BYTES ? this.#translate(Buffer.concat(this.#chunks)) : undefined;
    if (translated === undefined) {
      // Nothing was sent yet, so the client can be told.
      head.status = gatewayErrors.upstreamFailed.status;
    }
    const answer =
      translated ??
      this.#translation.translation.error(head.status, gatewayErrors.upstreamFailed.message);
    const body = Buffer.from(JSON.stringify(answer));
    head.headers['content-type'] = 'application/json';
    head.headers['content-length'] = String(body.length);
    this.#target.end(body);
    if (translated === undefined) return gatewayErrors.upstreamFailed;
    this.#target.complete(this.#usage.read());
    return undefined;
  }

  /** @returns undefined when the provider answered what it should not */
  #translate(body: Buffer): object | undefined {
    const { translation, asked } = this.#translation;
    const { status } = this.#target.head;
    const text = body.toString();
    if (status >= 400) return translation.error(status, text);
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
      return translation.answer(parsed as Record<string, unknown>, asked);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  fail(definition: ErrorDefinition): void {
    const { head } = this.#target;
    head.status = definition.status;
    const answer = this.#translation.translation.error(head.status, definition.message);
    const body = Buffer.from(JSON.stringify(answer));
    head.headers['content-type'] = 'application/json';
    head.headers['content-length'] = String(body.length);
    this.#target.end(body);
  }

  abandon(): void {
    this.#target.abandon();
  }

  usage(): Usage {
    return this.#usage.read();
  }
}

// An event may hold a whole picture.
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** A stream of events. */
class TranslatedStream implements Answer {
  readonly #target: Target;
  readonly #usage: UsageReader;
  readonly #translation: StreamTranslation;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #isBroken = false;
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ event, data }) => {
      const one: ServerSentEvent = event === undefined ? { data } : { event, data };
      this.#pending += this.#translation.event(one).map(writeEvent).join('');
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#isBroken = true;
    },
  });

  constructor(
    target: Target,
    usage: UsageReader,
    { translation, asked }: RouteTranslation,
    holdsHead: boolean,
  ) {
    this.#target = target;
    this.#usage = usage;
    this.#translation = translation.stream(asked);
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

  end(): ErrorDefinition | undefined {
    if (this.#isBroken) {
      this.fail(gatewayErrors.upstreamFailed);
      return gatewayErrors.upstreamFailed;
    }
    this.#parser.reset({ consume: true });
    this.#pending += this.#translation.end().map(writeEvent).join('');
    this.#target.end(Buffer.from(this.#taken()));
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

  usage(): Usage {
    return this.#usage.read();
  }
}

function writeEvent({ event, data }: ServerSentEvent): string {
  const lines = data.replaceAll('\n', '\ndata: ');
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
}
