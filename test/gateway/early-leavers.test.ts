import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { EVENT_STREAM, HANG, delta, event, head } from '../support/scripted-upstream.ts';
import type { Json } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const USAGE = event({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
});

onEachDatabase((database) => {
  describe('a client that leaves while the provider keeps the connection open', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database, { settings: { UPSTREAM_IDLE_TIMEOUT_MS: '10000' } });
    });
    after(() => bench.stop());

    /** Reads a stream up to a text, leaves, and returns the log row. */
    async function leaveAt(text: string, operation: string, model: string): Promise<Json> {
      const before = (await bench.logs()).length;
      const controller = new AbortController();
      const response = await fetch(
        `${bench.server.baseUrl}${bench.server.account}/ai/v1/${operation}`,
        {
          method: 'POST',
          signal: controller.signal,
          headers: {
            authorization: `Bearer ${bench.server.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            model,
            max_tokens: 5,
            messages: MESSAGES,
            stream: true,
            ...(operation === 'chat/completions'
              ? { stream_options: { include_usage: true } }
              : {}),
          }),
        },
      );
      let received = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        received += decoder.decode(chunk as Uint8Array, { stream: true });
        if (received.includes(text)) break;
      }
      controller.abort();
      for (let attempt = 0; attempt < 200; attempt++) {
        const rows = await bench.logs();
        if (rows.length > before) return rows[0];
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
      throw new Error('no log row was written');
    }
    const shown = ({
      status_code: status,
      success,
      tokens_in: input,
      tokens_out: output,
    }: Json) => [status, success, input, output];

    test('has the whole response after its last event', async () => {
      await bench.upstream.set('done', [
        head(200, EVENT_STREAM),
        delta('hello') + USAGE + event('[DONE]'),
        HANG,
      ]);
      const chat = await leaveAt('[DONE]', 'chat/completions', 'openai/done');
      assert.deepEqual(shown(chat), [200, true, 11, 7]);
      const messages = await leaveAt('message_stop', 'messages', 'openai/done');
      assert.deepEqual(shown(messages), [200, true, 11, 7]);
    });

    test('and is logged with 499 before that', async () => {
      await bench.upstream.set('undone', [head(200, EVENT_STREAM), delta('hello') + USAGE, HANG]);
      const chat = await leaveAt('"usage"', 'chat/completions', 'openai/undone');
      assert.deepEqual(shown(chat).slice(0, 2), [499, false]);
    });
  });
});
