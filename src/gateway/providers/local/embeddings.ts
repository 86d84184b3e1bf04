import { Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { UNKNOWN_USAGE } from '../../usage/usage.ts';
import type { LocalAnswer } from '../provider.ts';
import { errorAnswer, jsonAnswer } from './answers.ts';
import { embed } from './embed.ts';
import { MODEL, readRequest } from './read-request.ts';
import { countTokens } from './words.ts';

const DEFAULT_DIMENSIONS = 256;
const MAX_DIMENSIONS = 3_072;
// More take longer than others should wait for the event loop.
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

/** The model `echo` behind the embeddings API: equal texts have equal vectors, similar texts near ones. */
export function createEmbeddings(body: Buffer): LocalAnswer {
  const read = readRequest(embeddingsRequest, body);
  if ('refusal' in read) return read.refusal;
  const { input, encoding_format: format } = read.request;
  const dimensions = read.request.dimensions ?? DEFAULT_DIMENSIONS;
  const texts = textsOf(input);
  if (texts.length * dimensions > MAX_NUMBERS) {
    const most = Math.floor(MAX_NUMBERS / dimensions);
    const message = `input has more than ${most} texts, the maximum for ${dimensions} dimensions`;
    return errorAnswer(400, message, 'input');
  }
  const embeddings = texts.map((text, index) => {
    const vector = embed(text, dimensions);
    const embedding = format === 'base64' ? base64Of(vector) : [...vector];
    return { object: 'embedding', index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const answer = { object: 'list', data: embeddings, model: MODEL, usage };
  return jsonAnswer(answer, { ...UNKNOWN_USAGE, tokensIn: tokens });
}

/** Tokens are words here: their numbers stand for them. */
function textsOf(input: string | readonly (string | number | readonly number[])[]): string[] {
  if (typeof input === 'string') return [input];
  const tokens = input.filter((item) => typeof item === 'number');
  if (tokens.length > 0) return [tokens.join(' ')];
  return input.map((item) => (Array.isArray(item) ? item.join(' ') : String(item)));
}

/** Little-endian, as every machine has it that Node runs on. */
function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}
