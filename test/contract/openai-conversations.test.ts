import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { startAgentUpstream } from '../support/agent-upstream/agent-upstream.ts';
import type { ModelReply, ModelRequest } from '../support/agent-upstream/model.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';

/** Calls the tool for each city of the last prompt, and then reports the results. */
function reportWeather({ turns, tools }: ModelRequest): ModelReply {
  const place = turns.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const last = turns[place];
  const cities = last?.text.match(/Oslo|Rome|Lima/g) ?? [];
  if (last?.role === 'user' && cities.length > 0 && tools.includes('weather'))
    return {
      thought: 'The tool knows.',
      text: 'I ask.',
      calls: cities.map((city) => ({ name: 'weather', arguments: { city } })),
    };
  const results = turns.filter(({ role }) => role === 'tool').map(({ text }) => text);
  const found = [...results.join().matchAll(/(\w+) has (\d+)/g)].map(([text]) => text);
  return { thought: 'Done.', text: `${found.join(', ')}.` };
}

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The temperature of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    parse: (text: string): { city: string } => JSON.parse(text),
    function: ({ city }: { city: string }) => `${city} has ${city.codePointAt(0)}`,
  },
};

const TURNS = [
  ['Compare Oslo and Rome', 'Oslo has 79, Rome has 82.'],
  ['Add Lima', 'Oslo has 79, Rome has 82, Lima has 76.'],
  ['Repeat all', 'Oslo has 79, Rome has 82, Lima has 76.'],
] as const;

onEachDatabase((database) => {
  for (const model of [
    'openai/gpt-5',
    'anthropic/claude-sonnet-4-5',
    'google-ai-studio/gemini-3-pro',
    'mistral/mistral-large-latest',
  ])
    for (const isStream of [false, true])
      test(`three turns with parallel calls work with ${model}, stream: ${isStream}`, async (t) => {
        const upstream = await startAgentUpstream(reportWeather);
        t.after(() => upstream.stop());
        const server = await bootServer(database, { settings: upstream.settings });
        t.after(() => server.stop());
        const gateways = `${server.account}/ai-gateway/gateways`;
        await server.call('POST', gateways, { body: gatewayBody('default', {}) });
        const client = new OpenAI({
          apiKey: server.token,
          baseURL: `${server.baseUrl}${server.account}/ai/v1`,
          maxRetries: 0,
        });
        let messages: OpenAI.ChatCompletionMessageParam[] = [];
        for (const [prompt, expected] of TURNS) {
          messages.push({ role: 'user', content: prompt });
          const body = { model, messages, tools: [weather] };
          const runner = isStream
            ? client.chat.completions.runTools({ ...body, stream: true })
            : client.chat.completions.runTools({ ...body, stream: false });
          assert.equal(await runner.finalContent(), expected);
          messages = [...runner.messages];
        }
        assert.deepEqual(upstream.refusals, []);
      });
});
