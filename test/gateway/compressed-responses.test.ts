import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { eventually } from '../support/eventually.ts';
import {
  EVENT_STREAM,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

// Nothing here depends on the database.
describe('responses that are compressed although the gateway requests identity', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  const complete: ScriptedBench['complete'] = (...args) => bench.complete(...args);
  const set: ScriptedBench['upstream']['set'] = (...args) => bench.upstream.set(...args);
  const lastLog = () => bench.lastLog();
  const translate: ScriptedBench['translate'] = (...args) => bench.translate(...args);

  const completions = (): string =>
    `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`;

  const text = JSON.stringify(completion('compressed'));
  const encodings: [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
  ];
  for (const [encoding, bytes] of encodings) {
    test(`${encoding} is decoded, and its usage is logged`, async () => {
      const headers = {
        ...JSON_TYPE,
        'content-encoding': encoding,
        'content-length': String(bytes.length),
        etag: '"strong"',
      };
      await set(encoding, [head(200, headers), { base64: bytes.toString('base64') }]);
      const {
        statusCode,
        headers: got,
        body,
      } = await send(completions(), {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.server.token}` },
        body: JSON.stringify({ model: `openai/${encoding}`, messages: MESSAGES }),
      });
      assert.deepEqual([statusCode, got['content-encoding']], [200, undefined]);
      assert.equal(got.etag, 'W/"strong"');
      assert.equal(await body.text(), text);
      await eventually('its usage is logged', async () => {
        const { model, tokens_in: tokensIn, tokens_out: tokensOut } = await lastLog();
        return model === encoding && tokensIn === 11 && tokensOut === 7;
      });
    });
  }

  test('the key that the gateway sent is masked in it', async () => {
    const echo = gzipSync(JSON.stringify({ ...completion(), echo: 'Bearer sk-openai' }));
    await set('echo', [
      head(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
      { base64: echo.toString('base64') },
    ]);
    const { json } = await complete('echo');
    assert.equal(json.echo, 'Bearer *********');
  });

  test('an unknown coding passes unchanged', async () => {
    await set('rot13', answer(200, 'uryyb', { ...JSON_TYPE, 'content-encoding': 'rot13' }));
    const { status, text: got, headers } = await complete('rot13');
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'rot13']);
    assert.equal(got, 'uryyb');
  });

  test('identity is no coding', async () => {
    await set(
      'identity',
      answer(200, completion(), { ...JSON_TYPE, 'content-encoding': 'identity' }),
    );
    const { status, headers } = await complete('identity');
    assert.deepEqual([status, headers.get('content-encoding')], [200, null]);
    assert.equal((await lastLog()).tokens_out, 7);
  });

  test('502/2005: damaged before anything was sent', async () => {
    await set('torn', answer(200, 'no gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }));
    const { status, code } = await complete('torn');
    assert.deepEqual([status, code], [502, 2005]);
    const { model, status_code: logged } = await lastLog();
    assert.deepEqual([model, logged], ['torn', 502]);
  });

  test('an error event: damaged after the stream has begun', async () => {
    const whole = gzipSync(delta('one'), { finishFlush: constants.Z_SYNC_FLUSH });
    await set('torn-stream', [
      head(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' }),
      { base64: whole.toString('base64') },
      { waitMs: 50 },
      'no gzip any more',
    ]);
    const { status, text: got } = await complete('torn-stream', {}, { stream: true });
    assert.equal(status, 200);
    assert.ok(got.startsWith(delta('one')));
    assert.match(got, /"code":"2005"/);
  });

  test('a large response to a slow client arrives whole', async () => {
    const long = JSON.stringify({ ...completion(), padding: 'x'.repeat(24 * 1024 * 1024) });
    await set('long', [
      head(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
      { base64: gzipSync(long).toString('base64') },
    ]);
    const { body } = await send(completions(), {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.server.token}` },
      body: JSON.stringify({ model: 'openai/long', messages: MESSAGES }),
    });
    await delay(200);
    const hash = createHash('sha256');
    for await (const chunk of body) hash.update(chunk as Buffer);
    assert.equal(hash.digest('hex'), createHash('sha256').update(long).digest('hex'));
  });

  test('a translated one is decompressed, whole or streamed', async () => {
    const bytes = gzipSync(JSON.stringify(message('unfolded')));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    await set('gzip-claude', [head(200, headers), { base64: bytes.toString('base64') }]);
    const { status, json, headers: got } = await translate('gzip-claude');
    assert.deepEqual([status, json.choices[0].message.content], [200, 'unfolded']);
    assert.equal(got.get('content-encoding'), null);
    assert.equal((await lastLog()).tokens_out, 7);

    const events =
      event({ type: 'message_start', message: message() }, 'message_start') +
      event({ type: 'message_stop' }, 'message_stop');
    const stream = brotliCompressSync(events).toString('base64');
    const streamHeaders = { ...EVENT_STREAM, 'content-encoding': 'br' };
    await set('br-claude', [head(200, streamHeaders), { base64: stream }]);
    const streamed = await translate('br-claude', { stream: true });
    assert.equal(streamed.headers.get('content-encoding'), null);
    assert.ok(streamed.text.endsWith('data: [DONE]\n\n'));
  });

  test('502: a translated one that is damaged, or in an encoding that is not supported', async () => {
    for (const [model, encoding] of [
      ['damaged', 'gzip'],
      ['unknown-encoding', 'rot13'],
    ] as const) {
      await set(model, answer(200, 'no gzip', { ...JSON_TYPE, 'content-encoding': encoding }));
      assert.equal((await translate(model)).status, 502);
      const log = await lastLog();
      assert.deepEqual([log.status_code, log.success], [502, false], model);
    }
  });
});
