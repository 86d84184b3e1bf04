import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import type { TestDatabase } from '../databases.ts';
import { type TestServer, bootServer } from '../server.ts';
import { type AgentUpstream, startAgentUpstream } from './agent-upstream.ts';
import type { ModelReply, ModelRequest } from './model.ts';

/** A model of one provider for each dialect. */
export const WEATHER_MODELS = [
  'openai/gpt-5',
  'anthropic/claude-sonnet-4-5',
  'google-ai-studio/gemini-3-pro',
  'mistral/mistral-large-latest',
] as const;

/** Prompts of one conversation: parallel calls, one call and no call, each with the final text. */
export const WEATHER_TURNS = [
  ['Compare Oslo and Rome', 'Oslo has 79, Rome has 82.'],
  ['Add Lima', 'Oslo has 79, Rome has 82, Lima has 76.'],
  ['Repeat all', 'Oslo has 79, Rome has 82, Lima has 76.'],
] as const;

/** JSON Schema of the parameters of the tool `weather`. */
export const WEATHER_PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false as const,
};

/** The tool `weather`: a number that the model cannot know. */
export function weatherOf(city: string): string {
  return `${city} has ${city.codePointAt(0)}`;
}

/** A server with fake providers. */
export interface WeatherBench {
  server: TestServer;
  /** Fails if the providers have refused a request since the last call. */
  assertNoRefusals: () => void;
}

/**
 * Starts a server and its fake providers before the tests of the calling suite, and stops both after them. The model
 * calls `weather` for each city of the last prompt, and then reports all results.
 * @returns a function that the tests call
 */
export function declareWeather(database: TestDatabase): () => WeatherBench {
  let upstream: AgentUpstream | undefined;
  let server: TestServer | undefined;
  before(async () => {
    upstream = await startAgentUpstream(reportWeather);
    server = await bootServer(database, { settings: upstream.settings });
    const gateways = `${server.account}/ai-gateway/gateways`;
    const body = gatewayBody('default', {});
    const { status, text } = await server.call('POST', gateways, { body });
    assert.equal(status, 200, text);
  });
  after(async () => {
    await server?.stop();
    await upstream?.stop();
  });
  return () => {
    assert.ok(server);
    return { server, assertNoRefusals: () => assert.deepEqual(upstream?.refusals.splice(0), []) };
  };
}

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
  const found = [...results.join().matchAll(/\w+ has \d+/g)].map(([text]) => text);
  return { thought: 'Done.', text: `${found.join(', ')}.` };
}
