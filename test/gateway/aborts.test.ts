import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  type Action,
  EVENT_STREAM,
  HANG,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const JSON_HEAD = head(200, { 'content-type': 'application/json', 'content-length': '999' });

/** A way to call a model, and what its provider streams first. */
interface Way {
  name: string;
  path(): string;
  body(model: string): unknown;
  begun: string;
}

// Nothing here depends on the database.
describe('a client that leaves takes the call of the provider along', () => {
  let bench: ScriptedBench;
  before(async () => {
    // No timeout may be quicker than the client.
    bench = await startScripted('sqlite', {
      settings: { UPSTREAM_HEADERS_TIMEOUT_MS: '20000', UPSTREAM_IDLE_TIMEOUT_MS: '20000' },
    });
  });
  after(() => bench.stop());

  const rest = (): string => `/client/v4/accounts/${bench.server.accountId}/ai/v1`;
  const host = (): string => `/v1/${bench.server.accountId}/default`;
  const start =
    event({ type: 'message_start', message: message() }, 'message_start') +
    event(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      'content_block_start',
    ) +
    event(
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one' } },
      'content_block_delta',
    );
  const ways: Way[] = [
    {
      name: 'verbatim',
      path: () => `${rest()}/chat/completions`,
      body: (model) => ({ model: `openai/${model}`, messages: MESSAGES, stream: true }),
      begun: delta('one'),
    },
    {
      name: 'translated',
      path: () => `${rest()}/chat/completions`,
      body: (model) => ({
        model: `anthropic/${model}`,
        messages: MESSAGES,
        stream: true,
        max_tokens: 5,
      }),
      begun: start,
    },
    {
      name: 'messages',
      path: () => `${rest()}/messages`,
      body: (model) => ({
        model: `anthropic/${model}`,
        messages: MESSAGES,
        stream: true,
        max_tokens: 5,
      }),
      begun: start,
    },
    {
      name: 'universal',
      path: host,
      body: (model) => [entryOf('openai', model), entryOf('openai', `${model}-next`)],
      begun: delta('one'),
    },
    {
      name: 'native',
      path: () => `${host()}/openai/chat/completions`,
      body: (model) => ({ model, messages: MESSAGES, stream: true }),
      begun: delta('one'),
    },
  ];

  const windows: [string, (way: Way) => Action[], reads: boolean][] = [
    ['before the answer', () => [HANG], false],
    ['in mid-stream', ({ begun }) => [head(200, EVENT_STREAM), begun, HANG], true],
    ['in the body of another answer', () => [JSON_HEAD, '{"id":', HANG], false],
  ];

  for (const way of ways) {
    for (const [window, scriptOf, reads] of windows) {
      test(`${way.name}, ${window}`, async () => {
        const model = `${way.name}-${window.replaceAll(' ', '-')}`;
        await bench.upstream.set(model, scriptOf(way));
        const abort = new AbortController();
        const answer = fetch(bench.server.origin + way.path(), {
          method: 'POST',
          headers: {
            authorization: `Bearer ${bench.server.token}`,
            'cf-aig-authorization': `Bearer ${bench.server.token}`,
            'cf-aig-max-attempts': '3',
          },
          body: JSON.stringify(way.body(model)),
          signal: abort.signal,
        });
        answer.catch(() => {});
        const requests = () => bench.upstream.requests(model);
        await eventually('the provider is called', async () => (await requests()).length > 0);
        if (reads) {
          const { value } = (await (await answer).body?.getReader().read()) ?? {};
          assert.ok((value?.length ?? 0) > 0);
        }
        abort.abort();
        await eventually('it is broken off', async () => Boolean((await requests())[0]?.isAborted));
        const row = async () => (await bench.logs()).find((log) => log.model === model);
        await eventually('it is logged', async () => (await row()) !== undefined);
        const log = await row();
        assert.deepEqual([log.status_code, log.success, log.attempts], [499, false, 1]);
        if (reads && way.begun === start) assert.equal(log.tokens_in, 11);
        assert.equal((await requests()).length, 1);
        assert.deepEqual(await bench.upstream.requests(`${model}-next`), []);
      });
    }
  }

  test('nor is a second one called after that', async () => {
    await bench.upstream.set('first', [{ waitMs: 60 }, head(500, { 'content-length': '0' })]);
    const abort = new AbortController();
    const answer = fetch(bench.server.origin + host(), {
      method: 'POST',
      headers: { 'cf-aig-authorization': `Bearer ${bench.server.token}` },
      body: JSON.stringify([entryOf('openai', 'first'), entryOf('openai', 'second')]),
      signal: abort.signal,
    });
    answer.catch(() => {});
    await eventually('the first is called', async () =>
      Boolean((await bench.upstream.requests('first')).length),
    );
    abort.abort();
    await eventually('it is logged', async () =>
      (await bench.logs()).some(({ model }) => model === 'first'),
    );
    assert.deepEqual(await bench.upstream.requests('second'), []);
  });
});
