import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ModelCall } from './agent-upstream/model.ts';
import type { TestServer } from './server.ts';

/** A message of the user. */
export interface UserMessage {
  text: string;
  /** PNG images, in Base64. */
  images: string[];
}

/** The result of a tool call. */
export interface ToolResult {
  text: string;
  /** True if the tool failed; only the Messages API says so. */
  isError: boolean;
}

/** A reply as the client reads it. */
export interface ClientReply {
  thought: string;
  text: string;
  calls: ModelCall[];
}

/** A conversation, whose client sends the history as its API requires. */
export interface Conversation {
  say(message: UserMessage): void;
  /** @param results one for each call of the last reply */
  answer(results: ToolResult[]): void;
  /** Asks for the next reply and adds it to the history. */
  ask(model: string, isStream: boolean): Promise<ClientReply>;
}

/** Starts a conversation with instructions and tools that accept any object. */
export type ConversationClient = (
  server: TestServer,
  system: string,
  tools: readonly string[],
) => Conversation;

const PARAMETERS = { type: 'object' as const, additionalProperties: true };

function openAi(server: TestServer): OpenAI {
  return new OpenAI({
    apiKey: server.token,
    baseURL: `${server.baseUrl}${server.account}/ai/v1`,
    maxRetries: 0,
  });
}

function thoughtIn(message: object | undefined): string {
  const { reasoning_content: thought } = (message ?? {}) as { reasoning_content?: string };
  return thought ?? '';
}

/** Chat completions with the client of OpenAI. */
export const overChat: ConversationClient = (server, system, names) => {
  const client = openAi(server);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: system }];
  const tools = names.map((name) => ({
    type: 'function' as const,
    function: { name, parameters: PARAMETERS },
  }));
  let pending: OpenAI.ChatCompletionMessageToolCall[] = [];
  return {
    say({ text, images }) {
      const parts = images.map((data) => ({
        type: 'image_url' as const,
        image_url: { url: `data:image/png;base64,${data}` },
      }));
      messages.push({ role: 'user', content: [{ type: 'text', text }, ...parts] });
    },
    answer(results) {
      for (const [index, { text }] of results.entries())
        messages.push({ role: 'tool', tool_call_id: pending[index]?.id ?? '', content: text });
    },
    async ask(model, isStream) {
      const body = { model, messages, tools, reasoning_effort: 'low' as const };
      let streamed = '';
      const completion = isStream
        ? await client.chat.completions
            .stream(body)
            .on('chunk', ({ choices }) => (streamed += thoughtIn(choices[0]?.delta)))
            .finalChatCompletion()
        : await client.chat.completions.create(body);
      const message = completion.choices[0]?.message;
      assert.ok(message);
      messages.push(message);
      pending = message.tool_calls ?? [];
      const calls = pending.map((call) => {
        assert.ok(call.type === 'function');
        return { name: call.function.name, arguments: JSON.parse(call.function.arguments) };
      });
      // The client adds the last piece only.
      const thought = isStream ? streamed : thoughtIn(message);
      return { thought, text: message.content ?? '', calls };
    },
  };
};

/** The Responses API with the client of OpenAI, without stored responses. */
export const overResponses: ConversationClient = (server, instructions, names) => {
  const client = openAi(server);
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  const tools = names.map((name) => ({
    type: 'function' as const,
    name,
    parameters: PARAMETERS,
    strict: false,
  }));
  let pending: OpenAI.Responses.ResponseFunctionToolCall[] = [];
  return {
    say({ text, images }) {
      const parts = images.map((data) => ({
        type: 'input_image' as const,
        image_url: `data:image/png;base64,${data}`,
        detail: 'auto' as const,
      }));
      input.push({ role: 'user', content: [{ type: 'input_text', text }, ...parts] });
    },
    answer(results) {
      for (const [index, { text }] of results.entries())
        input.push({
          type: 'function_call_output',
          call_id: pending[index]?.call_id ?? '',
          output: text,
        });
    },
    async ask(model, isStream) {
      const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        model,
        instructions,
        input,
        tools,
        store: false,
        include: ['reasoning.encrypted_content'],
        reasoning: { effort: 'low' },
      };
      const { output, output_text: text } = isStream
        ? await client.responses.stream({ ...body, stream: true }).finalResponse()
        : await client.responses.create(body);
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
      pending = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      const calls = pending.map((call) => ({
        name: call.name,
        arguments: JSON.parse(call.arguments),
      }));
      const thought = output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
        .map((part) => part.text)
        .join('');
      return { thought, text, calls };
    },
  };
};

/** The Messages API with the client of Anthropic. */
export const overMessages: ConversationClient = (server, system, names) => {
  const client = new Anthropic({
    apiKey: server.token,
    baseURL: `${server.baseUrl}${server.account}/ai`,
    maxRetries: 0,
  });
  const messages: Anthropic.MessageParam[] = [];
  const tools = names.map((name) => ({ name, input_schema: PARAMETERS }));
  let pending: Anthropic.ToolUseBlock[] = [];
  return {
    say({ text, images }) {
      const parts = images.map((data) => ({
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data },
      }));
      messages.push({ role: 'user', content: [{ type: 'text', text }, ...parts] });
    },
    answer(results) {
      const content = results.map(({ text, isError }, index) => ({
        type: 'tool_result' as const,
        tool_use_id: pending[index]?.id ?? '',
        content: text,
        is_error: isError,
      }));
      messages.push({ role: 'user', content });
    },
    async ask(model, isStream) {
      const body = {
        model,
        system,
        messages,
        tools,
        max_tokens: 4_000,
        thinking: { type: 'enabled' as const, budget_tokens: 2_000 },
      };
      const { content } = isStream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({ role: 'assistant', content });
      pending = content.filter((block) => block.type === 'tool_use');
      const calls = pending.map(({ name, input }) => ({
        name,
        arguments: input as object as Record<string, unknown>,
      }));
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const thought = content
        .map((block) => (block.type === 'thinking' ? block.thinking : ''))
        .join('');
      return { thought, text, calls };
    },
  };
};
