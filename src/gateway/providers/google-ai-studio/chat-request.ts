import { type Asked, type JsonObject, UntranslatableError } from '../../translation/translation.ts';
import { toConversation } from './chat-contents.ts';
import { declareTools } from './chat-tools.ts';
import { generationConfig } from './generation-config.ts';
import { objectIn, textIn } from '../../translation/json-fields.ts';

/** What would change the meaning of a request if it were left out, and why it cannot be said. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['audio', 'Gemini answers chats with text'],
  ['functions', 'use tools'],
  ['function_call', 'use tool_choice'],
  ['logit_bias', 'Gemini has no such setting'],
  ['web_search_options', 'use a path of the provider with its tool google_search'],
]);

/**
 * A chat completion as the body of `generateContent`.
 * @throws UntranslatableError for what has no words there
 */
export function toGeminiRequest({ model, body }: Asked): JsonObject {
  for (const [field, why] of REFUSED) {
    if (isSaid(body[field])) throw new UntranslatableError(`${field}: ${why}`);
  }
  if (Array.isArray(body.modalities) && body.modalities.some((one) => one !== 'text')) {
    throw new UntranslatableError('modalities: Gemini answers chats with text');
  }
  const config = generationConfig(model, body);
  const cachedContent = textIn(objectIn(objectIn(body.extra_body).google).cached_content);
  return {
    ...toConversation(model, body.messages),
    ...declareTools(body),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(cachedContent === undefined ? {} : { cachedContent }),
  };
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
