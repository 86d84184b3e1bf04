import { CUT_SHORT } from '../provider-error.ts';
import type { TranslationInput, ServerSentEvent, StreamTranslation } from '../translator.ts';
import { extraContent, imageFields, readContentParts } from './content-parts.ts';
import {
  type CompletionHead,
  completionHead,
  blockedPrompt,
  callId,
  retainedToolCalls,
  refusalOf,
  toChatUsage,
  toFinishReason,
  toLogprobs,
  toChatError,
} from './chat-completion.ts';
import {
  isObject,
  numberIn,
  objectIn,
  objectsIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';

/** The state of one choice of a stream. */
interface Choice {
  calls: number;
  finishReason: string | undefined;
}

/** Translates the chunks of `streamGenerateContent?alt=sse` to those of a chat completion. */
export class GeminiChatStream implements StreamTranslation {
  readonly #input: TranslationInput;
  readonly #hasUsage: boolean;
  readonly #choices = new Map<number, Choice>();
  #head: CompletionHead | undefined;
  #usage: JsonObject | undefined;
  #hasFailed = false;

  constructor(input: TranslationInput) {
    this.#input = input;
    this.#hasUsage = objectIn(input.body.stream_options).include_usage === true;
  }

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    // Google's streams end without an event, those of other servers with the last event of OpenAI.
    if (this.#hasFailed || data === '' || data === '[DONE]') return [];
    const answer = parseObject(data);
    if (answer === undefined) return this.#fail(502, 'the provider sent an event that is not JSON');
    const { error } = answer;
    if (isObject(error)) return this.#fail(numberIn(error.code) ?? 500, data);
    this.#head ??= completionHead(answer, this.#input);
    this.#usage = toChatUsage(answer.usageMetadata) ?? this.#usage;
    const candidates = objectsIn(answer.candidates);
    if (candidates.length === 0) return this.#blockedEvents(answer);
    return candidates.flatMap((candidate) => this.#candidateEvents(candidate, this.#headOf()));
  }

  end(): ServerSentEvent[] {
    if (this.#hasFailed) return [];
    const choices = [...this.#choices];
    if (choices.length === 0 || choices.some(([, choice]) => choice.finishReason === undefined)) {
      return this.#fail(502, CUT_SHORT);
    }
    // Only at the end, because some models send a reason in every chunk.
    const events = choices.map(([index, { finishReason = 'STOP', calls }]) =>
      this.#chunk(index, {}, toFinishReason(finishReason, calls > 0), null),
    );
    if (this.#hasUsage && this.#usage !== undefined) {
      events.push(this.#event({ choices: [], usage: this.#usage }));
    }
    return [...events, { data: '[DONE]' }];
  }

  #fail(status: number, text: string): ServerSentEvent[] {
    this.#hasFailed = true;
    return [{ data: JSON.stringify(toChatError(status, text)) }];
  }

  #blockedEvents(answer: JsonObject): ServerSentEvent[] {
    const refusal = blockedPrompt(answer);
    if (refusal === null || this.#choices.size > 0) return [];
    this.#choices.set(0, { calls: 0, finishReason: 'SAFETY' });
    return [this.#chunk(0, { role: 'assistant', content: '', refusal }, null, null)];
  }

  #candidateEvents(candidate: JsonObject, { id }: CompletionHead): ServerSentEvent[] {
    const index = numberIn(candidate.index) ?? 0;
    const known = this.#choices.get(index);
    const choice: Choice = known ?? { calls: 0, finishReason: undefined };
    this.#choices.set(index, choice);
    const said = readContentParts(candidate, (call) => callId(id, index, choice.calls + call));
    const calls = retainedToolCalls(said, this.#input, choice.calls).map((call, position) => ({
      index: choice.calls + position,
      ...call,
    }));
    choice.calls += calls.length;
    choice.finishReason = textIn(candidate.finishReason) ?? choice.finishReason;
    const refusal = refusalOf(candidate);
    const delta = {
      ...(known === undefined ? { role: 'assistant', content: said.text } : {}),
      ...(said.text === '' ? {} : { content: said.text }),
      ...(said.reasoning === '' ? {} : { reasoning_content: said.reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(refusal === null ? {} : { refusal }),
      ...imageFields(said.images),
      ...extraContent(said.signature),
    };
    const logprobs = toLogprobs(candidate.logprobsResult);
    if (Object.keys(delta).length === 0 && logprobs === null) return [];
    return [this.#chunk(index, delta, null, logprobs)];
  }

  #chunk(
    index: number,
    delta: JsonObject,
    finishReason: string | null,
    logprobs: JsonObject | null,
  ): ServerSentEvent {
    const choices = [{ index, delta, finish_reason: finishReason, logprobs }];
    return this.#event({ choices, ...(this.#hasUsage ? { usage: null } : {}) });
  }

  #event(fields: JsonObject): ServerSentEvent {
    return {
      data: JSON.stringify({ ...this.#headOf(), object: 'chat.completion.chunk', ...fields }),
    };
  }

  #headOf(): CompletionHead {
    this.#head ??= completionHead({}, this.#input);
    return this.#head;
  }
}
