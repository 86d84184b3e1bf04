import { createParser } from 'eventsource-parser';
import type { ResponseStage } from './response-sink.ts';
import { isUsageChunk } from './usage-chunk.ts';
import { writeEvent } from './write-event.ts';
import type { ServerSentEvent, StreamTranslation } from '../translators/translator.ts';
import type { RouteTranslation } from '../gateway-request.ts';

// An event may contain a whole image.
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Translates a stream of events. */
export class StreamTranslator implements ResponseStage {
  readonly isWhole = false;
  readonly #translation: StreamTranslation;
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #pending = '';
  #isBroken = false;

  /**
   * @param removesUsage the client did not request the usage that the provider reports
   * @param onPing called for each ping of the provider
   */
  constructor({ translator, input }: RouteTranslation, removesUsage: boolean, onPing: () => void) {
    this.#translation = translator.stream(input);
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onComment: onPing,
      onEvent: ({ event, data }) => {
        if (event === 'ping') return onPing();
        if (removesUsage && isUsageChunk(data)) return;
        const one: ServerSentEvent = event === undefined ? { data } : { event, data };
        this.#pending += this.#translation.event(one).map(writeEvent).join('');
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#isBroken = true;
      },
    });
  }

  write(chunk: Buffer): Buffer {
    if (!this.#isBroken) this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    return this.#take();
  }

  end(isIncomplete: boolean): Buffer | undefined {
    if (this.#isBroken) return undefined;
    this.#parser.reset({ consume: true });
    this.#pending += this.#translation.end().map(writeEvent).join('');
    // Most translations report the early end themselves, in the terms of the API of the client.
    const isReported = !isIncomplete || this.#pending.includes('"error"');
    return isReported ? this.#take() : undefined;
  }

  abort(): Buffer {
    return NO_BYTES;
  }

  #take(): Buffer {
    const text = this.#pending;
    this.#pending = '';
    return text === '' ? NO_BYTES : Buffer.from(text);
  }
}
