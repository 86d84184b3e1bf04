import {
  numberIn,
  objectIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { messagesToChat, messagesToExtendedChat } from '../messages-to-chat/messages-to-chat.ts';
import {
  checkParameters,
  expressed,
  hint,
  never,
  only,
  parameterTable,
  refused,
  types,
} from '../parameters.ts';
import { type TranslationInput, type Translator, chain } from '../translator.ts';
import { responsesError } from './response-error.ts';
import { response } from './response.ts';
import { conversationOf, formatOf } from './conversation.ts';
import { ResponsesStream } from './responses-stream.ts';
import { clientTools, messagesToolFields } from './client-tools.ts';

const STATE = 'the provider does not store responses: send the whole conversation as input';

/** Parameters of the Responses API in the translation to the Messages API. */
const responsesParameters = parameterTable({
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

/**
 * Translates a request of the Responses API to a Messages request without a limit.
 * @throws UntranslatableError naming the parameter that the Messages API cannot express
 */
function messagesRequest({ model, body }: TranslationInput): JsonObject {
  checkParameters(body, responsesParameters);
  const { system, messages } = conversationOf(body.instructions, body.input);
  const { format, instruction } = formatOf(body.text);
  const instructions = [system, instruction ?? ''].filter((text) => text !== '').join('\n\n');
  const effort = effortOf(objectIn(body.reasoning).effort);
  const outputConfig = withoutUndefined({ effort, format });
  return withoutUndefined({
    model,
    max_tokens: numberIn(body.max_output_tokens),
    system: instructions === '' ? undefined : instructions,
    messages,
    ...messagesToolFields(body, clientTools(body.tools)),
    temperature: numberIn(body.temperature),
    top_p: numberIn(body.top_p),
    output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
    stream: body.stream === true ? true : undefined,
  });
}

/** Few models accept `minimal`. */
function effortOf(effort: unknown): string | undefined {
  return effort === 'minimal' ? 'low' : textIn(effort);
}

/** The client speaks OpenAI Responses, the provider Anthropic Messages. */
export const responsesToMessages: Translator = {
  request: messagesRequest,
  response: response,
  error: responsesError,
  stream: (input) => new ResponsesStream(input),
};

/** The client speaks OpenAI Responses, the provider chat completions. */
export const responsesToChat: Translator = chain(responsesToMessages, messagesToChat);

/** The client speaks OpenAI Responses, and another translation reads the chat completions. */
export const responsesToExtendedChat: Translator = chain(
  responsesToMessages,
  messagesToExtendedChat,
);
