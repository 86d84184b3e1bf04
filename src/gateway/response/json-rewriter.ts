import type { ErrorDefinition } from '../../http/errors.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import type { ResponseSink } from './response-sink.ts';

// A longer response passes unchanged.
const MAX_BYTES = 32 * 1024 * 1024;
/** The beginning of a body that {@link JsonRewrite.staysUnchanged} reads. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Turns the JSON of a provider into the body that the client asks for. */
export interface JsonRewrite {
  /**
   * Decides by the beginning of a body, up to 64 KiB. Without it, the whole body decides.
   * @returns undefined as long as more bytes are needed
   */
  staysUnchanged?(head: string): boolean | undefined;
  /** Returns the new body; undefined if the response stays unchanged. */
  rewrite(body: Buffer): Buffer | undefined;
}

/** Rewrites a JSON response once it is complete. */
export class JsonRewriter implements ResponseSink {
  readonly #rewrite: JsonRewrite;
  readonly #createUnchanged: () => ResponseSink;
  readonly #createChanged: () => ResponseSink;
  #sink: ResponseSink | undefined;
  #isHeld: boolean;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * @param createUnchanged builds the pipeline for the JSON of the provider
   * @param createChanged builds the pipeline for the new body
   */
  constructor(
    rewrite: JsonRewrite,
    createUnchanged: () => ResponseSink,
    createChanged: () => ResponseSink,
  ) {
    this.#rewrite = rewrite;
    this.#createUnchanged = createUnchanged;
    this.#createChanged = createChanged;
    this.#isHeld = rewrite.staysUnchanged === undefined;
  }

  write(chunk: Buffer): boolean {
    if (this.#sink !== undefined) return this.#sink.write(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#staysUnchanged()) return this.#pass(this.#createUnchanged());
    return true;
  }

  #staysUnchanged(): boolean {
    if (this.#bytes > MAX_BYTES) return true;
    if (this.#isHeld) return false;
    const head = Buffer.concat(this.#chunks).subarray(0, MAX_HEAD_BYTES).toString('latin1');
    const decision = this.#rewrite.staysUnchanged?.(head);
    this.#isHeld = decision === false;
    return decision ?? this.#bytes > MAX_HEAD_BYTES;
  }

  end(): ErrorDefinition | undefined {
    if (this.#sink !== undefined) return this.#sink.end();
    const changed = this.#rewrite.rewrite(Buffer.concat(this.#chunks));
    if (changed === undefined) this.#pass(this.#createUnchanged());
    else this.#pass(this.#createChanged(), changed);
    return this.#current().end();
  }

  #pass(sink: ResponseSink, body: Buffer = Buffer.concat(this.#chunks)): boolean {
    this.#sink = sink;
    this.#chunks = [];
    return sink.write(body);
  }

  #current(): ResponseSink {
    return (this.#sink ??= this.#createUnchanged());
  }

  fail(error: ErrorDefinition): void {
    this.#current().fail(error);
  }

  ping(): void {
    this.#sink?.ping();
  }

  isComplete(): boolean {
    return this.#sink?.isComplete() === true;
  }

  abandon(): void {
    this.#sink?.abandon();
  }

  usage(): Usage {
    return this.#sink?.usage() ?? UNKNOWN_USAGE;
  }
}
