import type { ErrorDefinition } from '../../http/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { isObject, parseObject } from '../translation/json-fields.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import type { Answer } from './answer.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** The first vector begins within so many bytes. */
const MAX_HEAD_BYTES = 64 * 1024;
const FIRST_VECTOR = /"embedding"\s{0,8}:\s{0,8}(\[|")/;

/**
 * Embeddings for a client that asks for base64, from a provider that may respond with lists of numbers: the OpenAI
 * library decodes such a list to zeros. Vectors that are encoded already pass at once.
 */
export class Base64Embeddings implements Answer {
  readonly #createUnchanged: () => Answer;
  readonly #createChanged: () => Answer;
  #answer: Answer | undefined;
  #isList = false;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * @param createUnchanged creates the way back for the JSON of the provider
   * @param createChanged the same for JSON of another length
   */
  constructor(createUnchanged: () => Answer, createChanged: () => Answer) {
    this.#createUnchanged = createUnchanged;
    this.#createChanged = createChanged;
  }

  feed(chunk: Buffer): boolean {
    if (this.#answer !== undefined) return this.#answer.feed(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (!this.#isList) {
      const head = Buffer.concat(this.#chunks).subarray(0, MAX_HEAD_BYTES).toString('latin1');
      const [, sign] = FIRST_VECTOR.exec(head) ?? [];
      this.#isList = sign === '[';
      if (sign === '"' || (sign === undefined && this.#bytes > MAX_HEAD_BYTES)) return this.#pass();
    }
    return this.#bytes <= MAX_BYTES || this.#pass();
  }

  end(): MaybePromise<ErrorDefinition | undefined> {
    if (this.#answer !== undefined) return this.#answer.end();
    const changed = encoded(Buffer.concat(this.#chunks));
    if (changed === undefined) this.#pass();
    else {
      this.#answer = this.#createChanged();
      this.#answer.feed(changed);
    }
    return this.#current().end();
  }

  #pass(): boolean {
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return this.#current().feed(body);
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

/** @returns undefined for a response without lists of numbers */
function encoded(body: Buffer): Buffer | undefined {
  const parsed = parseObject(body.toString());
  if (!Array.isArray(parsed?.data)) return undefined;
  let isChanged = false;
  const data = (parsed.data as unknown[]).map((item) => {
    if (!isObject(item) || !isVector(item.embedding)) return item;
    isChanged = true;
    // All platforms of Node.js are little-endian, as the encoding is.
    const bytes = Buffer.from(Float32Array.from(item.embedding).buffer);
    return { ...item, embedding: bytes.toString('base64') };
  });
  return isChanged ? Buffer.from(JSON.stringify({ ...parsed, data })) : undefined;
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}
