import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import {
  WEATHER_PARAMETERS,
  WEATHER_TURNS,
  declareWeather,
  weatherOf,
} from '../support/agent-upstream/weather.ts';
import { onEachDatabase } from '../support/databases.ts';

const weather = {
  name: 'weather',
  description: 'The temperature of a city',
  parametersJsonSchema: WEATHER_PARAMETERS,
};

onEachDatabase((database) => {
  const weatherBench = declareWeather(database);
  for (const isStream of [false, true])
    test(`@google/genai works with google-ai-studio, stream: ${isStream}`, async () => {
      const { server, assertNoRefusals } = weatherBench();
      const ai = new GoogleGenAI({
        apiKey: 'gemini-key',
        httpOptions: {
          baseUrl: `${server.origin}/v1/${server.accountId}/default/google-ai-studio`,
          headers: { 'cf-aig-authorization': `Bearer ${server.token}` },
        },
      });
      const chat = ai.chats.create({
        model: 'gemini-3-pro',
        config: { tools: [{ functionDeclarations: [weather] }] },
      });
      const send = async (message: string | Part[]) => {
        if (!isStream) return chat.sendMessage({ message });
        let text = '';
        const functionCalls: FunctionCall[] = [];
        for await (const chunk of await chat.sendMessageStream({ message })) {
          text += chunk.text ?? '';
          functionCalls.push(...(chunk.functionCalls ?? []));
        }
        return { text, functionCalls };
      };
      for (const [prompt, expected] of WEATHER_TURNS) {
        let reply = await send(prompt);
        while ((reply.functionCalls ?? []).length > 0) {
          const results = (reply.functionCalls ?? []).map(({ name, args }) => ({
            functionResponse: { name, response: { output: weatherOf(String(args?.['city'])) } },
          }));
          reply = await send(results as Part[]);
        }
        assert.equal(reply.text, expected);
      }
      assertNoRefusals();
    });
});
