import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EVENT_STREAM, answer, event, head } from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const DEPTH = 100_000;
const DEEP = '[['.repeat(DEPTH / 2) + ']]'.repeat(DEPTH / 2);

// Nothing here depends on the database.
describe('what is no answer', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  const callMessages = (model: string): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/messages`, {
      body: { model, max_tokens: 10, messages: MESSAGES },
    });

  const bodies = ['null', '[]', '"hello"', '7', '{}', '{"content":"hello"}', '{"choices":[]}'];
  for (const body of [...bodies, '<html>', '', DEEP, '{"error":{"message":"no"}}']) {
    test(`502: ${body.slice(0, 30)}`, async () => {
      await bench.upstream.set('odd', answer(200, body, JSON_TYPE));
      const chat = await bench.complete('anthropic/odd');
      assert.deepEqual([chat.status, typeof chat.json.error.message], [502, 'string']);
      const messages = await callMessages('openai/odd');
      assert.deepEqual([messages.status, messages.json.type], [502, 'error']);
      const [log] = await bench.logs();
      assert.deepEqual([log.status_code, log.success], [502, false]);
    });
  }

  test('an answer of odd parts comes through without them', async () => {
    const nested = '['.repeat(20_000) + ']'.repeat(20_000);
    const call = `{"type":"tool_use","id":7,"name":null,"input":{"a":${nested}}}`;
    const body = `{"content":[${call},3,null,{"type":"text","text":${nested}}],"usage":[1],"id":{}}`;
    await bench.upstream.set('deep', answer(200, body, JSON_TYPE));
    const { status } = await bench.complete('anthropic/deep');
    assert.equal(status, 200);
  });

  test('odd events of a stream are passed over', async () => {
    const events = ['null', '[]', '7', DEEP, '{"type":[]}', '{"type":"content_block_delta"}', '<'];
    const stop = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
    await bench.upstream.set('odd-stream', [
      head(200, EVENT_STREAM) + events.map((one) => event(one)).join(''),
      event(stop) + event({ type: 'message_stop' }),
    ]);
    const { status, text } = await bench.complete('anthropic/odd-stream', {}, { stream: true });
    assert.equal(status, 200);
    assert.match(text, /"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/s);
  });

  test('an error of a proxy is told in the words of the client', async () => {
    await bench.upstream.set('proxy', answer(503, '<html>Bad gateway</html>'));
    const chat = await bench.complete('anthropic/proxy', { 'cf-aig-max-attempts': '1' });
    assert.deepEqual([chat.status, chat.json.error.type], [503, 'api_error']);
    await bench.upstream.set('proxy', answer(503, DEEP));
    const messages = await callMessages('openai/proxy');
    assert.deepEqual([messages.status, messages.json.error.type], [503, 'api_error']);
  });
});

describe('an odd request', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  test('400: a refusal quotes only so much of a request', async () => {
    const messages = [{ role: 'x'.repeat(100_000), content: 'hello' }];
    const { status, text } = await bench.complete('anthropic/any', {}, { messages });
    assert.equal(status, 400);
    assert.ok(text.length < 5_000, String(text.length));
  });

  test('a choice of tools that never ends is none', async () => {
    const depth = 18_000;
    const choice = '{"function":'.repeat(depth) + '1' + '}'.repeat(depth);
    const body = `{"model":"echo","messages":[{"role":"user"}],"tool_choice":${choice}}`;
    const { status } = await bench.callHost('POST', 'default/local/chat/completions', { body });
    assert.equal(status, 200);
  });
});
