import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  type AgentUpstream,
  startAgentUpstream,
} from '../support/agent-upstream/agent-upstream.ts';
import type { ModelReply, ModelRequest, ModelTurn } from '../support/agent-upstream/model.ts';
import { WEATHER_MODELS } from '../support/agent-upstream/weather.ts';
import {
  type ConversationClient,
  overChat,
  overMessages,
  overResponses,
} from '../support/conversation-clients.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const words = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text.trim() !== '');

const image = fc
  .uint8Array({ minLength: 3, maxLength: 9 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

const call = fc.record({
  /** Index of the tool. */
  tool: fc.nat({ max: 2 }),
  arguments: fc
    .dictionary(words, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
  result: fc.record({
    text: fc.oneof(words, fc.constantFrom('{"a":1}', '[1,2]', 'null')),
    isError: fc.boolean(),
  }),
});

const step = fc.record({
  model: fc.constantFrom(...WEATHER_MODELS),
  thought: fc.option(words, { nil: undefined }),
  text: fc.option(words, { nil: undefined }),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
});

const turn = fc.record({
  user: fc.record({ text: words, images: fc.array(image, { maxLength: 2 }) }),
  steps: fc.array(step, { maxLength: 2 }),
  final: fc.record({
    model: fc.constantFrom(...WEATHER_MODELS),
    thought: fc.option(words, { nil: undefined }),
    text: words,
  }),
});

const conversation = fc.record({
  system: words,
  turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
});
type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
type RandomConversation = ValueOf<typeof conversation>;
type RandomCall = ValueOf<typeof call>;

const CLIENTS: [string, ConversationClient, string[]][] = [
  ['chat completions', overChat, ['read_file', 'mcp__files__write', `long_${'x'.repeat(59)}`]],
  ['responses', overResponses, ['read_file', 'mcp__files__write', `long_${'x'.repeat(59)}`]],
  ['messages', overMessages, ['read_file', 'mcp__files__write', `long_${'x'.repeat(123)}`]],
];

onEachDatabase((database) => {
  let upstream: AgentUpstream;
  let server: TestServer;
  let requests: ModelRequest[] = [];
  let reply: (request: ModelRequest) => ModelReply;
  before(async () => {
    upstream = await startAgentUpstream((request) => {
      requests.push(request);
      return reply(request);
    });
    server = await bootServer(database, { settings: upstream.settings });
    const gateways = `${server.account}/ai-gateway/gateways`;
    const { status, text } = await server.call('POST', gateways, {
      body: gatewayBody('default', {}),
    });
    assert.equal(status, 200, text);
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  /** Conducts the conversation and compares each request and each reply with the script. */
  async function conduct(
    { system, turns }: RandomConversation,
    client: ConversationClient,
    tools: string[],
    isStream: boolean,
  ): Promise<void> {
    const said: ModelTurn[] = [turnOf({ role: 'system', text: system })];
    const chat = client(server, system, tools);
    const ask = async (
      model: string,
      {
        thought,
        text,
        calls = [],
      }: { thought: string | undefined; text: string | undefined; calls?: RandomCall[] },
    ): Promise<void> => {
      requests = [];
      reply = (request) => ({
        ...(thought === undefined ? {} : { thought }),
        ...(text === undefined ? {} : { text }),
        ...(calls.length === 0
          ? {}
          : {
              calls: calls.map((one) => ({
                name: request.tools[one.tool] ?? '',
                arguments: one.arguments,
              })),
            }),
      });
      const read = await chat.ask(model, isStream);
      // Claude does not continue the calls of another model with thoughts.
      const isThoughtDropped =
        said.at(-1)?.role === 'tool' && read.thought === '' && model.startsWith('anthropic/');
      const expectedCalls = calls.map((one) => ({
        name: tools[one.tool] ?? '',
        arguments: one.arguments,
      }));
      assert.deepEqual(
        read,
        {
          thought: isThoughtDropped ? '' : (thought ?? ''),
          text: text ?? '',
          calls: expectedCalls,
        },
        model,
      );
      assert.equal(requests.length, 1);
      assert.deepEqual(
        meaningOf(requests[0], tools),
        meaningOf({ turns: said, tools, model }, tools),
        model,
      );
      said.push(turnOf({ role: 'assistant', text: text ?? '', calls: expectedCalls }));
    };
    for (const { user, steps, final } of turns) {
      chat.say(user);
      said.push(turnOf({ role: 'user', ...user }));
      for (const { model, ...one } of steps) {
        await ask(model, one);
        const results = one.calls.map(({ result }) => result);
        chat.answer(results);
        for (const { text } of results) said.push(turnOf({ role: 'tool', text }));
      }
      await ask(final.model, final);
    }
  }

  for (const [name, client, tools] of CLIENTS)
    for (const isStream of [false, true])
      test(`any conversation over ${name} keeps its meaning with changing models, stream: ${isStream}`, () =>
        fc.assert(
          fc.asyncProperty(conversation, (one) => conduct(one, client, tools, isStream)),
          { numRuns: 30 },
        ));
});

function turnOf(turn: Partial<ModelTurn> & Pick<ModelTurn, 'role'>): ModelTurn {
  return { text: '', images: [], calls: [], ...turn };
}

/** The turns as a list of facts, without the differences of the dialects. */
function meaningOf(request: ModelRequest | undefined, tools: string[]): unknown[] {
  assert.ok(request);
  return request.turns.flatMap(({ role, text, images, calls }) => [
    // Other APIs say in the text that a tool has failed.
    ...(text === '' ? [] : [`${role}: ${role === 'tool' ? text.replace(/^Error: /, '') : text}`]),
    ...images.map((data) => `${role} image: ${data}`),
    ...calls.map((one) => [role, tools[request.tools.indexOf(one.name)], one.arguments]),
  ]);
}
