import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import {
  WEATHER_MODELS,
  WEATHER_PARAMETERS,
  WEATHER_TURNS,
  declareWeather,
  weatherOf,
} from '../support/agent-upstream/weather.ts';
import { onEachDatabase } from '../support/databases.ts';

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The temperature of a city',
    parameters: WEATHER_PARAMETERS,
    parse: (text: string): { city: string } => JSON.parse(text),
    function: ({ city }: { city: string }) => weatherOf(city),
  },
};

onEachDatabase((database) => {
  const weatherBench = declareWeather(database);
  for (const model of WEATHER_MODELS)
    for (const isStream of [false, true])
      test(`three turns with parallel calls work with ${model}, stream: ${isStream}`, async () => {
        const { server, assertNoRefusals } = weatherBench();
        const client = new OpenAI({
          apiKey: server.token,
          baseURL: `${server.baseUrl}${server.account}/ai/v1`,
          maxRetries: 0,
        });
        let messages: OpenAI.ChatCompletionMessageParam[] = [];
        for (const [prompt, expected] of WEATHER_TURNS) {
          messages.push({ role: 'user', content: prompt });
          const body = { model, messages, tools: [weather] };
          const runner = isStream
            ? client.chat.completions.runTools({ ...body, stream: true })
            : client.chat.completions.runTools({ ...body, stream: false });
          assert.equal(await runner.finalContent(), expected);
          messages = [...runner.messages];
        }
        assertNoRefusals();
      });
});
