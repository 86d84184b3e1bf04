import { Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { UNKNOWN_USAGE } from '../../usage/usage.ts';
import type { LocalResponse } from '../provider.ts';
import { LocalError, MODEL, countTokens, jsonResponse, readRequest } from './chat.ts';

const PLACES_PER_WORD = 4;
const DEFAULT_DIMENSIONS = 256;
const MAX_DIMENSIONS = 3_072;
// More would block the event loop.
const MAX_NUMBERS = 128 * 1024;

const Text = Type.String({ minLength: 1 });
const Tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

const EmbeddingsRequestSchema = Type.Object({
  model: Type.String(),
  input: Type.Union([
    Text,
    Tokens,
    Type.Array(Text, { minItems: 1 }),
    Type.Array(Tokens, { minItems: 1 }),
  ]),
  dimensions: Type.Optional(
    Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: MAX_DIMENSIONS })]),
  ),
  encoding_format: Type.Optional(
    Type.Union([Type.Null(), Type.Literal('float'), Type.Literal('base64')]),
  ),
});

const embeddingsRequest = SchemaCheck.of(EmbeddingsRequestSchema);

/**
 * Creates embeddings of the model `echo`: equal texts have equal vectors, similar texts have similar ones.
 * @throws LocalError
 */
export function createEmbeddings(body: Buffer): LocalResponse {
  const request = readRequest(embeddingsRequest, body);
  const { input, encoding_format: format } = request;
  const dimensions = request.dimensions ?? DEFAULT_DIMENSIONS;
  const texts = textsOf(input);
  if (texts.length * dimensions > MAX_NUMBERS) {
    const most = Math.floor(MAX_NUMBERS / dimensions);
    const message = `input has more than ${most} texts, the maximum for ${dimensions} dimensions`;
    throw new LocalError(400, message, 'input');
  }
  const embeddings = texts.map((text, index) => {
    const vector = embed(text, dimensions);
    const embedding = format === 'base64' ? base64Of(vector) : [...vector];
    return { object: 'embedding', index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const list = { object: 'list', data: embeddings, model: MODEL, usage };
  return jsonResponse(list, { ...UNKNOWN_USAGE, tokensIn: tokens });
}

/** Returns the texts of an input. The numbers of tokens are used as words. */
function textsOf(input: string | readonly (string | number | readonly number[])[]): string[] {
  if (typeof input === 'string') return [input];
  const tokens = input.filter((item) => typeof item === 'number');
  if (tokens.length > 0) return [tokens.join(' ')];
  return input.map((item) => (Array.isArray(item) ? item.join(' ') : String(item)));
}

/** Encodes little-endian numbers, the byte order of every machine that Node.js supports. */
function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}

/**
 * Returns a vector of length 1 from the words of a text, regardless of case. Each word adds to a few places, which its hash
 * determines.
 * @param text not empty
 */
function embed(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const sums = new Float32Array(dimensions);
  const words = text.toLowerCase().match(/\S+/g) ?? [text];
  for (const word of words) {
    let hash = hashOf(word);
    for (let place = 0; place < PLACES_PER_WORD; place++) {
      hash = mix(hash + place);
      const index = hash % dimensions;
      sums[index] = (sums[index] ?? 0) + (hash & 0x8000_0000 ? -1 : 1);
    }
  }
  const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
  // Words can cancel each other out.
  if (length === 0) {
    sums[0] = 1;
    return sums;
  }
  return sums.map((sum) => sum / length);
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x0100_0193);
  }
  return hash >>> 0;
}

/** Spreads a number over all 32 bits (the last steps of MurmurHash3). */
function mix(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
