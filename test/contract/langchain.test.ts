import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatAnthropic } from '@langchain/anthropic';
import { type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import {
  WEATHER_MODELS,
  WEATHER_TURNS,
  declareWeather,
  weatherOf,
} from '../support/agent-upstream/weather.ts';
import { onEachDatabase } from '../support/databases.ts';
import type { TestServer } from '../support/server.ts';

const weather = tool(({ city }) => weatherOf(city), {
  name: 'weather',
  description: 'The temperature of a city',
  schema: z.object({ city: z.string() }),
});

const WAYS = [
  {
    name: 'chat completions',
    chat: (server: TestServer, model: string) =>
      new ChatOpenAI({
        model,
        apiKey: server.token,
        maxRetries: 0,
        configuration: { baseURL: `${server.baseUrl}${server.account}/ai/v1` },
      }).bindTools([weather]),
  },
  {
    name: 'responses',
    chat: (server: TestServer, model: string) =>
      new ChatOpenAI({
        model,
        apiKey: server.token,
        maxRetries: 0,
        useResponsesApi: true,
        configuration: { baseURL: `${server.baseUrl}${server.account}/ai/v1` },
      }).bindTools([weather]),
  },
  {
    name: 'messages',
    chat: (server: TestServer, model: string) =>
      new ChatAnthropic({
        model,
        apiKey: server.token,
        maxRetries: 0,
        maxTokens: 1_000,
        anthropicApiUrl: `${server.baseUrl}${server.account}/ai`,
      }).bindTools([weather]),
  },
];

onEachDatabase((database) => {
  const weatherBench = declareWeather(database);
  for (const { name, chat } of WAYS)
    for (const model of WEATHER_MODELS)
      for (const isStream of [false, true])
        test(`LangChain works over ${name} with ${model}, stream: ${isStream}`, async () => {
          const { server, assertNoRefusals } = weatherBench();
          const bound = chat(server, model);
          const history: BaseMessage[] = [];
          const ask = async (): Promise<AIMessageChunk> => {
            if (!isStream) return bound.invoke(history);
            let whole: AIMessageChunk | undefined;
            for await (const chunk of await bound.stream(history))
              whole = whole === undefined ? chunk : whole.concat(chunk);
            assert.ok(whole);
            return whole;
          };
          for (const [prompt, expected] of WEATHER_TURNS) {
            history.push(new HumanMessage(prompt));
            let reply = await ask();
            while ((reply.tool_calls ?? []).length > 0) {
              history.push(reply);
              for (const call of reply.tool_calls ?? []) history.push(await weather.invoke(call));
              reply = await ask();
            }
            history.push(reply);
            assert.equal(reply.text, expected);
          }
          assertNoRefusals();
        });
});
