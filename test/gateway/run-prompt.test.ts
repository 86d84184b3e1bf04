import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runPrompt } from '../../src/gateway/translators/run-to-chat/run-prompt.ts';
import type { ServerSentEvent } from '../../src/gateway/translators/translator.ts';

describe('a streamed prompt', () => {
  const delta = (content: string, finishReason: string | null = null): string =>
    JSON.stringify({
      choices: [{ delta: { content }, finish_reason: finishReason }],
      usage: null,
      error: null,
    });
  const failure = JSON.stringify({ error: { message: 'Overloaded' } });

  function translate(events: string[]): ServerSentEvent[] {
    const stream = runPrompt.stream({ model: 'any', body: { prompt: 'hello' }, nowMs: 0 });
    return [...events.flatMap((data) => stream.event({ data })), ...stream.end()];
  }

  const said = { data: '{"response":"hello"}' };
  const last = { data: '{"response":""}' };
  const done = { data: '[DONE]' };
  const cut = /^\{"error":\{"message":"The provider ended the stream before/;

  test('ends where the provider says so', () => {
    assert.deepEqual(translate([delta('hello'), '[DONE]']), [said, last, done]);
    assert.deepEqual(translate([delta('hello', 'stop')]), [said, last, done]);
  });

  test('an error ends it, whatever comes behind', () => {
    const told = translate([delta('hello'), failure, delta('hello'), '[DONE]']);
    assert.deepEqual(told, [said, { data: failure }]);
  });

  test('one that was cut short does not look whole', () => {
    const [first, second, ...rest] = translate([delta('hello')]);
    assert.deepEqual([first, rest], [said, []]);
    assert.match(second?.data ?? '', cut);
  });
});
