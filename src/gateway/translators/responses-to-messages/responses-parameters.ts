import { expressed, hint, never, only, parameterTable, refused, types } from '../parameters.ts';

const STATE = 'the provider does not store responses: send the whole conversation as input';

/** Parameters of the Responses API in the translation to the Messages API. */
export const responsesParameters = parameterTable({
  model: expressed(types.any),
  input: expressed(types.textOrObjects),
  instructions: expressed(types.textOrObjects),
  max_output_tokens: expressed(types.integer),
  parallel_tool_calls: expressed(types.boolean),
  reasoning: hint(types.object),
  stream: expressed(types.boolean),
  temperature: expressed(types.number),
  text: expressed(types.object),
  tool_choice: expressed(types.textOrObject),
  tools: expressed(types.objects),
  top_p: expressed(types.number),

  client_metadata: hint(),
  context_management: hint(),
  include: hint(types.texts),
  max_tool_calls: hint(),
  metadata: hint(),
  prompt_cache_key: hint(),
  prompt_cache_options: hint(),
  prompt_cache_retention: hint(),
  safety_identifier: hint(),
  service_tier: hint(),
  store: hint(types.boolean),
  stream_options: hint(),
  truncation: hint(),
  user: hint(),

  background: refused(only(false), 'the provider has no background responses'),
  conversation: refused(never, STATE),
  previous_response_id: refused(never, STATE),
  prompt: refused(never, 'the provider does not store prompts'),
  top_logprobs: refused(only(0)),
});
