import type { ErrorDefinition } from '../../http/errors.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import type { Answer } from './answer.ts';

// A longer response passes unchanged.
const MAX_BYTES = 32 * 1024 * 1024;
/** The beginning of a body that {@link JsonRewrite.staysUnchanged} reads. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Turns the JSON of a provider into the body that the client asks for. */
export interface JsonRewrite {
  /**
   * Decides by the beginning of a body, up to 64 KiB. Left out: the whole body decides.
   * @returns undefined as long as more bytes are needed
   */
  staysUnchanged?(head: string): boolean | undefined;
  /** Returns the new body; undefined if the response stays unchanged. */
  rewrite(body: Buffer): Buffer | undefined;
}

/** A JSON response that is rewritten once it is complete. */
export class RewrittenJson implements Answer {
  readonly #rewrite: JsonRewrite;
  readonly #createUnchanged: () => Answer;
  readonly #createChanged: () => Answer;
  #answer: Answer | undefined;
  #isHeld: boolean;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * @param createUnchanged creates the way back for the JSON of the provider
   * @param createChanged creates the way back for the new body
   */
  constructor(rewrite: JsonRewrite, createUnchanged: () => Answer, createChanged: () => Answer) {
    this.#rewrite = rewrite;
    this.#createUnchanged = createUnchanged;
    this.#createChanged = createChanged;
    this.#isHeld = rewrite.staysUnchanged === undefined;
  }

  feed(chunk: Buffer): boolean {
    if (this.#answer !== undefined) return this.#answer.feed(chunk);
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

  async end(): Promise<ErrorDefinition | undefined> {
    if (this.#answer !== undefined) return this.#answer.end();
    const changed = this.#rewrite.rewrite(Buffer.concat(this.#chunks));
    if (changed === undefined) this.#pass(this.#createUnchanged());
    else this.#pass(this.#createChanged(), changed);
    return this.#current().end();
  }

  #pass(answer: Answer, body: Buffer = Buffer.concat(this.#chunks)): boolean {
    this.#answer = answer;
    this.#chunks = [];
    return answer.feed(body);
  }

  #current(): Answer {
    return (this.#answer ??= this.#createUnchanged());
  }

  fail(definition: ErrorDefinition): void {
    this.#current().fail(definition);
  }

  abandon(): void {
    this.#answer?.abandon();
  }

  usage(): Usage {
    return this.#answer?.usage() ?? UNKNOWN_USAGE;
  }
}
