import { successEnvelope } from '../../../http/envelope.ts';
import {
  isObject,
  objectIn,
  objectsIn,
  parseObject,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { checkStreamOptions } from '../chat-parameters.ts';
import { checkParameters } from '../parameters.ts';
import { CUT_SHORT } from '../provider-error.ts';
import type {
  TranslationInput,
  ServerSentEvent,
  StreamTranslation,
  Translator,
} from '../translator.ts';
import { runError } from './run-to-chat.ts';
import { promptParameters } from './run-parameters.ts';

/** Continues `prompt`. The response has the format of the text models of Workers AI. */
export const runPrompt: Translator = {
  request,
  response,
  error: runError,
  stream: () => new PromptStream(),
};

/** @throws UntranslatableError for a parameter whose result the response cannot contain */
function request({ body, model }: TranslationInput): JsonObject {
  checkParameters(body, promptParameters);
  checkStreamOptions(body.stream_options);
  const { prompt, ...rest } = body;
  const isStream = body.stream === true;
  return withoutUndefined({
    ...rest,
    model,
    messages: [{ role: 'user', content: prompt }],
    stream_options: isStream ? { include_usage: true } : undefined,
  });
}

function response({ choices, usage }: JsonObject): JsonObject | undefined {
  const [choice] = objectsIn(choices);
  if (choice === undefined || !isObject(choice.message)) return undefined;
  const { message } = choice;
  const response = textIn(message.content) ?? '';
  return successEnvelope(
    withoutUndefined({ response, tool_calls: message.tool_calls, usage: usage ?? undefined }),
  );
}

/** Each text chunk becomes an event. The last one contains the usage. */
class PromptStream implements StreamTranslation {
  #usage: unknown;
  #isComplete = false;
  #hasFailed = false;

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    if (this.#hasFailed) return [];
    if (data.trim() === '[DONE]') this.#isComplete = true;
    const chunk = parseObject(data);
    if (chunk === undefined) return [];
    // The error of the provider.
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(data);
    this.#usage = chunk.usage ?? this.#usage;
    const [choice] = objectsIn(chunk.choices);
    if (typeof choice?.finish_reason === 'string') this.#isComplete = true;
    const response = textIn(objectIn(choice?.delta).content) ?? '';
    return response === '' ? [] : [{ data: JSON.stringify({ response }) }];
  }

  end(): ServerSentEvent[] {
    if (this.#hasFailed) return [];
    if (!this.#isComplete) return this.#fail(JSON.stringify({ error: { message: CUT_SHORT } }));
    const last = withoutUndefined({ response: '', usage: this.#usage });
    return [{ data: JSON.stringify(last) }, { data: '[DONE]' }];
  }

  #fail(data: string): ServerSentEvent[] {
    this.#hasFailed = true;
    return [{ data }];
  }
}
