import type { ErrorDefinition } from '../../http/errors.ts';
import type { Answer } from './answer.ts';
import { type BodyDecoder, createBodyDecoder } from './body-decoder.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { KeptBody } from '../logs/capture/kept-body.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import type { StreamFailure } from '../usage/stream-outcome.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';

// The maximum size of a compressed response after decompression.
const MAX_DECODED_BYTES = 64 * 1024 * 1024;

/** A compressed response that has to be decoded, such as for a translation. */
export class DecodedAnswer implements Answer {
  readonly #answer: Answer;
  readonly #decoder: BodyDecoder | undefined;
  readonly #ended = Promise.withResolvers<void>();

  constructor(answer: Answer, contentEncoding: string) {
    this.#answer = answer;
    this.#decoder = createBodyDecoder(contentEncoding, MAX_DECODED_BYTES, {
      onChunk: (chunk) => this.#pass(chunk),
      onEnd: () => this.#ended.resolve(),
      onError: (error) => this.#ended.reject(error),
    });
    if (this.#decoder === undefined) this.#ended.reject(new Error('unknown content encoding'));
    // `end` handles the error.
    this.#ended.promise.catch(() => {});
  }

  /** The size of the decoded body is bounded, so no backpressure is needed. */
  feed(chunk: Buffer): boolean {
    this.#decoder?.write(chunk);
    return true;
  }

  ping(): void {
    this.#answer.ping?.();
  }

  #pass(chunk: Buffer): void {
    try {
      this.#answer.feed(chunk);
    } catch (error) {
      // Thrown on, it would end the process.
      this.#decoder?.destroy();
      this.#ended.reject(error);
    }
  }

  async end(): Promise<ErrorDefinition | undefined> {
    this.#decoder?.end();
    try {
      await this.#ended.promise;
    } catch {
      this.#answer.fail(gatewayErrors.upstreamFailed);
      return gatewayErrors.upstreamFailed;
    }
    return this.#answer.end();
  }

  fail(definition: ErrorDefinition): void {
    this.#decoder?.destroy();
    this.#answer.fail(definition);
  }

  abandon(): void {
    this.#decoder?.destroy();
    this.#answer.abandon();
  }

  usage(): Usage {
    return this.#answer.usage();
  }
}

/** Reads the usage of an answer that passes through compressed. */
export class DecodedUsageReader implements UsageReader {
  readonly #reader: UsageReader;
  readonly #decoder: BodyDecoder | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #isBroken = false;

  /** @param kept for the log: what is decoded */
  constructor(reader: UsageReader, contentEncoding: string, kept: KeptBody | undefined) {
    this.#reader = reader;
    this.#decoder = createBodyDecoder(contentEncoding, MAX_DECODED_BYTES, {
      onChunk: (chunk) => {
        reader.feed(chunk);
        kept?.feed(chunk);
      },
      onEnd: () => this.#ended.resolve(),
      onError: () => {
        this.#isBroken = true;
        this.#ended.resolve();
      },
    });
    if (this.#decoder === undefined) this.#ended.resolve();
  }

  feed(chunk: Buffer): void {
    if (!this.#isBroken) this.#decoder?.write(chunk);
  }

  abandon(): void {
    this.#isBroken = true;
    this.#decoder?.destroy();
  }

  /** Waits for what is still being decoded. */
  async finish(): Promise<void> {
    this.#decoder?.end();
    await this.#ended.promise;
  }

  failure(): StreamFailure | undefined {
    // A body that cannot be decoded is no complete one.
    if (this.#decoder === undefined || this.#isBroken) return 'incomplete';
    return this.#reader.failure?.();
  }

  read(): Usage {
    return this.#decoder === undefined ? UNKNOWN_USAGE : this.#reader.read();
  }
}
