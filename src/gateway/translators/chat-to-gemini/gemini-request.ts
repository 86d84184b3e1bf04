import { checkStreamOptions } from '../chat-parameters.ts';
import { checkParameters } from '../parameters.ts';
import type { TranslationInput } from '../translator.ts';
import { toConversation } from './conversation.ts';
import { extraParameters, geminiParameters, googleParameters } from './gemini-parameters.ts';
import { declareTools } from './tool-declarations.ts';
import { generationConfig } from './generation-config.ts';
import { objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';

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
