import type { ErrorDefinition } from '../../http/errors.ts';
import type { AnswerTarget } from './answer-target.ts';
import { type Answer, isEventStream } from './answer.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { UsageFilter } from './usage-filter.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import type { Usage } from '../usage/usage.ts';

/** A response that passes byte for byte, except for usage that only the gateway has requested. */
export class VerbatimAnswer implements Answer {
  readonly #target: AnswerTarget;
  readonly #usage: UsageReader;
  readonly #filter: UsageFilter | undefined;
  readonly #length: number;
  readonly #isRefusal: boolean;
  /** In a coding that is not supported: the gateway cannot append an event. */
  readonly #isCoded: boolean;
  #received = 0;
  #isEnded = false;

  /** @param filter for a stream whose usage the client did not ask for */
  constructor(
    target: AnswerTarget,
    usage: UsageReader,
    holdsHead: boolean,
    filter: UsageFilter | undefined,
  ) {
    this.#target = target;
    this.#usage = usage;
    this.#filter = filter;
    const { headers, contentType, status } = target.head;
    this.#isRefusal = status >= 400;
    this.#isCoded = headers['content-encoding'] !== undefined;
    // A stream that breaks off ends with an event of the gateway, so its length is unknown.
    if (isEventStream(contentType)) delete headers['content-length'];
    this.#length = Number(headers['content-length'] ?? Number.NaN);
    // A stream may begin with silence; any other answer sends its head along with its body.
    if (isEventStream(contentType) && !holdsHead) target.begin();
  }

  feed(chunk: Buffer): boolean {
    this.#usage.feed(chunk);
    if (this.#filter !== undefined) return this.#write(this.#filter.feed(chunk));
    this.#received += chunk.length;
    if (this.#received !== this.#length) return this.#target.write(chunk);
    // The last one: it goes out together with the end, and often with the head.
    this.#isEnded = true;
    this.#target.end(chunk);
    return true;
  }

  ping(): void {
    this.#target.ping();
  }

  #write(chunk: Buffer): boolean {
    return chunk.length === 0 || this.#target.write(chunk);
  }

  async end(): Promise<ErrorDefinition | undefined> {
    // An error response is a failure already, and passes unchanged.
    const failure = this.#isRefusal ? undefined : this.#usage.failure?.();
    if (failure === 'incomplete' && !this.#isEnded && !this.#isCoded) {
      this.fail(gatewayErrors.upstreamFailed);
      return gatewayErrors.upstreamFailed;
    }
    if (!this.#isEnded) this.#target.end(this.#filter?.end());
    if (failure !== undefined) {
      this.#target.abandon();
      return gatewayErrors.upstreamFailed;
    }
    this.#target.complete(this.#usage.read());
    return undefined;
  }

  fail(definition: ErrorDefinition): void {
    if (this.#filter !== undefined) this.#write(this.#filter.abort());
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
