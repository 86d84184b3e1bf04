import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Agent,
  type AgentInputItem,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents';
import { z } from 'zod';
import {
  WEATHER_MODELS,
  WEATHER_TURNS,
  declareWeather,
  weatherOf,
} from '../support/agent-upstream/weather.ts';
import { onEachDatabase } from '../support/databases.ts';

// Otherwise, the library sends its traces to OpenAI.
setTracingDisabled(true);

const weather = tool({
  name: 'weather',
  description: 'The temperature of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => weatherOf(city),
});

onEachDatabase((database) => {
  const weatherBench = declareWeather(database);
  for (const useResponses of [false, true])
    for (const model of WEATHER_MODELS)
      for (const stream of [false, true])
        test(`agents work with ${model}, responses: ${useResponses}, stream: ${stream}`, async () => {
          const { server, assertNoRefusals } = weatherBench();
          const modelProvider = new OpenAIProvider({
            apiKey: server.token,
            baseURL: `${server.baseUrl}${server.account}/ai/v1`,
            useResponses,
          });
          const runner = new Runner({ modelProvider });
          const agent = new Agent({
            name: 'Reporter',
            instructions: 'Report.',
            model,
            tools: [weather],
          });
          let history: AgentInputItem[] = [];
          for (const [prompt, expected] of WEATHER_TURNS) {
            const input = [...history, user(prompt)];
            if (stream) {
              const result = await runner.run(agent, input, { stream: true });
              await result.completed;
              assert.equal(result.finalOutput, expected);
              history = result.history;
            } else {
              const result = await runner.run(agent, input);
              assert.equal(result.finalOutput, expected);
              history = result.history;
            }
          }
          assertNoRefusals();
        });
});
