import { successEnvelope } from '../../../http/envelope.ts';
import { numberIn, objectsIn, withoutUndefined, type JsonObject } from '../../json/json-fields.ts';
import { checkParameters } from '../parameters.ts';
import { type Asked, type Translation, UntranslatableError } from '../translation.ts';
import { runError } from './run-to-chat.ts';
import { embeddingParameters } from './run-parameters.ts';

/** `text` for a model, one or a list: what it answers looks like that of Workers AI's embedding models. */
export const runEmbeddings: Translation = {
  request,
  answer,
  error: runError,
  stream: () => ({ event: (event) => [event], end: () => [] }),
};

/** @throws UntranslatableError for a parameter whose result the answer cannot hold */
function request({ body, model }: Asked): JsonObject {
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

function answer({ data: list, usage }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined;
  const data = objectsIn(list)
    .toSorted((a, b) => (numberIn(a.index) ?? 0) - (numberIn(b.index) ?? 0))
    .map(({ embedding }) => (Array.isArray(embedding) ? embedding : []));
  const shape = [data.length, data[0]?.length ?? 0];
  return successEnvelope(withoutUndefined({ shape, data, usage }));
}
