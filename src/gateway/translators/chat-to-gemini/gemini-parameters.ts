import { chatParameters } from '../chat-parameters.ts';
import { expressed, hint, parameterTable, types } from '../parameters.ts';

/** Chat completions in the translation to `generateContent`. */
export const geminiParameters = parameterTable({
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
export const extraParameters = parameterTable({ google: expressed(types.object) });

/** `extra_body.google` */
export const googleParameters = parameterTable({
  cached_content: expressed(types.text),
  thinking_config: hint(types.object),
});
