import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { eventually } from '../support/eventually.ts';
import { openAiWays } from '../support/openai-clients.ts';
import {
  EVENT_STREAM,
  RESET,
  type ScriptedRequest,
  type ScriptedUpstream,
  answer,
  completion,
  delta,
  head,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const messages = [{ role: 'user' as const, content: 'hello' }];
const error = { error: { message: 'not now', type: 'server_error', param: null, code: null } };

let server: TestServer;
let upstream: ScriptedUpstream;
before(async () => {
  upstream = await startScriptedUpstream();
  server = await bootServer('sqlite', {
    settings: { PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1` },
  });
});
after(async () => {
  await server.stop();
  await upstream.stop();
});

/** How the `openai` package retries by itself, which it decides by what it is answered. */
for (const { name, prefix, client: connect } of openAiWays) {
  describe(name, () => {
    // A model of its own for each way.
    const model = (test_: string): string => `${test_} ${name}`.replaceAll(/\W+/g, '-');
    const complete = (of: string, options: OpenAI.RequestOptions = {}) =>
      connect(server, { maxRetries: 2 }).chat.completions.create(
        { model: prefix + model(of), messages },
        options,
      );
    const requests = (of: string): Promise<ScriptedRequest[]> => upstream.requests(model(of));

    test('429 and 5xx, after the wait that the provider asks for', async () => {
      await upstream.set(
        model('busy'),
        answer(429, error, { 'retry-after-ms': '1' }),
        answer(503, error, { 'retry-after': '0.001' }),
        answer(200, completion()),
      );
      assert.equal((await complete('busy')).choices[0]?.message.content, 'hello');
      const counts = (await requests('busy')).map(({ headers }) => {
        const index = headers.findIndex((header) => /^x-stainless-retry-count$/i.test(header));
        return headers[index + 1];
      });
      assert.deepEqual(counts, ['0', '1', '2']);
    });

    test('no more than it was told to, and with the last error', async () => {
      await upstream.set(model('always'), answer(500, error, { 'retry-after-ms': '1' }));
      await assert.rejects(complete('always'), (thrown: unknown) => {
        assert.ok(thrown instanceof OpenAI.InternalServerError);
        assert.equal(thrown.message, '500 not now');
        return true;
      });
      assert.equal((await requests('always')).length, 3);
    });

    test('x-should-retry has the last word', async () => {
      await upstream.set(model('never'), answer(500, error, { 'x-should-retry': 'false' }));
      await assert.rejects(complete('never'), OpenAI.InternalServerError);
      assert.equal((await requests('never')).length, 1);
      await upstream.set(
        model('again'),
        answer(400, error, { 'x-should-retry': 'true', 'retry-after-ms': '1' }),
        answer(200, completion()),
      );
      await complete('again');
      assert.equal((await requests('again')).length, 2);
    });

    test('a stream is begun anew while nothing of it has come', async () => {
      await upstream.set(model('stream'), answer(502, error, { 'retry-after-ms': '1' }), [
        head(200, EVENT_STREAM),
        delta('one '),
        delta('two'),
        'data: [DONE]\n\n',
      ]);
      const stream = await connect(server, { maxRetries: 1 }).chat.completions.create({
        model: prefix + model('stream'),
        messages,
        stream: true,
      });
      let text = '';
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
      assert.equal(text, 'one two');
    });

    test('the provider that cannot be reached is an error of the server', async () => {
      await upstream.set(model('reset'), [RESET], answer(200, completion()));
      assert.equal((await complete('reset')).choices[0]?.message.content, 'hello');
      await upstream.set(model('resets'), [RESET]);
      await assert.rejects(complete('resets', { maxRetries: 0 }), (thrown: unknown) => {
        assert.ok(thrown instanceof OpenAI.InternalServerError);
        assert.match(thrown.message, /^502 .*Failed to get response from provider/);
        return true;
      });
    });

    test('an answer that is cut short is an error, not half an answer', async () => {
      await upstream.set(model('cut'), [
        head(200, { 'content-type': 'application/json', 'content-length': '1000' }),
        '{"id":',
        RESET,
      ]);
      await assert.rejects(complete('cut', { maxRetries: 0 }));
    });

    test('whoever gives up while waiting for a retry calls no more', async () => {
      await upstream.set(model('patience'), answer(503, error, { 'retry-after': '30' }));
      const controller = new AbortController();
      const waiting = complete('patience', { signal: controller.signal });
      const aborting = assert.rejects(waiting, OpenAI.APIUserAbortError);
      const isCalled = async () => (await requests('patience')).length === 1;
      await eventually('the provider is called', isCalled);
      controller.abort();
      await aborting;
      assert.equal((await requests('patience')).length, 1);
    });
  });
}

test("the gateway's own limit: the class, and how long to wait", async () => {
  const gateway = {
    id: 'narrow',
    cache_invalidate_on_update: false,
    cache_ttl: 0,
    collect_logs: false,
    rate_limiting_interval: 3_600,
    rate_limiting_limit: 1,
    rate_limiting_technique: 'sliding',
  };
  await server.call('POST', `${server.account}/ai-gateway/gateways`, { body: gateway });
  const client = openAiWays[0]?.client(server, {
    defaultHeaders: { 'cf-aig-gateway-id': 'narrow' },
  });
  const ask = async () => client?.chat.completions.create({ model: 'local/echo', messages });
  await ask();
  await assert.rejects(ask, (thrown: unknown) => {
    assert.ok(thrown instanceof OpenAI.RateLimitError);
    assert.deepEqual([thrown.code, thrown.type], ['2003', 'rate_limit_error']);
    const seconds = Number(thrown.headers.get('retry-after'));
    // A sliding window is counted in thirtieths, so the delay is up to 120 s longer.
    assert.ok(seconds > 3_500 && seconds <= 3_720, `${seconds} s`);
    return true;
  });
});

test('a server that is gone is a failed connection', async () => {
  const client = new OpenAI({ apiKey: 'x', baseURL: 'http://127.0.0.1:9/v1', maxRetries: 0 });
  const asked = client.chat.completions.create({ model: 'local/echo', messages });
  await assert.rejects(asked, OpenAI.APIConnectionError);
});
