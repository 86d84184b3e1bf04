import { successEnvelope } from '../../../http/envelope.ts';
import { numberIn, objectsIn, withoutUndefined, type JsonObject } from '../../json/json-fields.ts';
import { checkParameters } from '../parameters.ts';
import { type TranslationInput, type Translator, UntranslatableError } from '../translator.ts';
import { runError } from './run-to-chat.ts';
import { embeddingParameters } from './run-parameters.ts';

/** Embeds `text`, a string or a list. The response has the format of the embedding models of Workers AI. */
export const runEmbeddings: Translator = {
  request,
  response,
  error: runError,
  stream: () => ({ event: (event) => [event], end: () => [] }),
};

/** @throws UntranslatableError for a parameter whose result the response cannot contain */
function request({ body, model }: TranslationInput): JsonObject {
  checkParameters(body, embeddingParameters);
  const { text, input, ...rest } = body;
  if (input !== undefined)
    throw new UntranslatableError('text cannot be combined with other input');
  const isText = (value: unknown): boolean => typeof value === 'string';
  if (!isText(text) && !(Array.isArray(text) && text.length > 0 && text.every(isText))) {
    throw new UntranslatableError('text must be a string or a list of strings');
  }
  return { ...rest, model, input: text, stream: undefined };
}

function response({ data: list, usage }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined;
  const data = objectsIn(list)
    .toSorted((a, b) => (numberIn(a.index) ?? 0) - (numberIn(b.index) ?? 0))
    .map(({ embedding }) => (Array.isArray(embedding) ? embedding : []));
  const shape = [data.length, data[0]?.length ?? 0];
  return successEnvelope(withoutUndefined({ shape, data, usage }));
}
