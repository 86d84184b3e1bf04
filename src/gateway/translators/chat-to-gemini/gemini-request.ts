import { checkStreamOptions, chatParameters } from '../chat-parameters.ts';
import { checkParameters, expressed, hint, parameterTable, types } from '../parameters.ts';
import type { TranslationInput } from '../translator.ts';
import { toConversation } from './conversation.ts';
import { declareTools } from './tool-declarations.ts';
import { generationConfig } from './generation-config.ts';
import { objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';

/** Chat completions in the translation to `generateContent`. */
const geminiParameters = parameterTable({
  ...chatParameters,
  extra_body: expressed(types.object),
  frequency_penalty: expressed(types.number),
  logprobs: expressed(types.boolean),
  n: expressed(types.integer),
  presence_penalty: expressed(types.number),
  seed: expressed(types.exactInteger),
  top_logprobs: expressed(types.integer),
});

/** `extra_body`, which Google's OpenAI-compatible endpoint reads. */
const extraParameters = parameterTable({ google: expressed(types.object) });

/** `extra_body.google` */
const googleParameters = parameterTable({
  cached_content: expressed(types.text),
  thinking_config: hint(types.object),
});

/**
 * Translates a chat completion to the body of `generateContent`.
 * @throws UntranslatableError naming the parameter that the API cannot express
 */
export function toGeminiRequest({ model, body }: TranslationInput): JsonObject {
  checkParameters(body, geminiParameters);
  checkStreamOptions(body.stream_options);
  const extra = objectIn(body.extra_body);
  checkParameters(extra, extraParameters, 'extra_body.');
  checkParameters(objectIn(extra.google), googleParameters, 'extra_body.google.');
  const config = generationConfig(model, body);
  const cachedContent = textIn(objectIn(extra.google).cached_content);
  return {
    ...toConversation(model, body.messages),
    ...declareTools(body),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(cachedContent === undefined ? {} : { cachedContent }),
  };
}
