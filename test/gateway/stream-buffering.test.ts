import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  EVENT_STREAM,
  answer,
  completion,
  delta,
  event,
  head,
} from '../support/scripted-upstream.ts';
import { awsMessage } from './aws-message.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const CHAT = [delta('one'), event('[DONE]')].join('');
const MESSAGE = awsMessage({}, { ':event-type': 'messageStop', ':message-type': 'event' });
const ANTHROPIC = [
  event({ type: 'message_start', message: { id: 'm', model: 'x', usage: {} } }, 'message_start'),
  event({ type: 'message_stop' }, 'message_stop'),
].join('');

describe('streams through a buffering proxy', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  const stream = (type: string, body: string, more: Record<string, string> = {}): string =>
    head(200, { 'content-type': type, ...more }) + body;

  const buffering = ({ headers }: { headers: Headers }): string | null =>
    headers.get('x-accel-buffering');

  test('an event stream turns off buffering, whatever the provider sends', async () => {
    const plain = head(200, EVENT_STREAM) + CHAT;
    const others = ['yes', 'no'].map((value) =>
      stream('text/event-stream; charset=utf-8', CHAT, { 'x-accel-buffering': value }),
    );
    const withLength = stream('text/event-stream', CHAT, { 'content-length': `${CHAT.length}` });
    for (const script of [plain, ...others, withLength]) {
      await bench.upstream.set('streamed', [script]);
      const found = await bench.complete('streamed', {}, { stream: true });
      assert.equal(found.status, 200);
      assert.equal(buffering(found), 'no');
    }
  });

  test('so do the built-in model, a translated stream and a stream from the cache', async () => {
    const local = await bench.complete('local/echo', {}, { stream: true });
    assert.equal(buffering(local), 'no');
    await bench.upstream.set('translated', [head(200, EVENT_STREAM) + ANTHROPIC]);
    const translated = await bench.complete('anthropic/translated', {}, { stream: true });
    assert.equal(translated.status, 200);
    assert.equal(buffering(translated), 'no');
    await bench.upstream.set('cached', [head(200, EVENT_STREAM) + CHAT]);
    for (const expected of ['MISS', 'HIT']) {
      const found = await bench.complete('cached', { 'cf-aig-cache-ttl': '60' }, { stream: true });
      assert.equal(found.headers.get('cf-aig-cache-status'), expected);
      assert.equal(buffering(found), 'no');
    }
  });

  for (const type of [
    'application/x-ndjson',
    'application/stream+json',
    'application/vnd.amazon.eventstream',
    'application/json',
    'audio/mpeg',
  ]) {
    test(`so does ${type} of unknown length`, async () => {
      const body = type.includes('amazon') ? MESSAGE : Buffer.from('{}\n');
      const script = [stream(type, ''), { base64: body.toString('base64') }];
      await bench.upstream.set('lines', script);
      const found = await bench.callHost('POST', 'default/openai/lines', {
        body: { model: 'lines', messages: MESSAGES },
      });
      assert.equal(found.status, 200);
      assert.equal(buffering(found), 'no');
    });
  }

  test('a response of known length and an error leave buffering on', async () => {
    await bench.upstream.set('whole', answer(200, completion(), { 'x-accel-buffering': 'no' }));
    const whole = await bench.complete('whole');
    assert.equal(whole.status, 200);
    assert.equal(buffering(whole), null);
    const refused = await bench.complete('nowhere/x');
    assert.equal(refused.status, 400);
    assert.equal(buffering(refused), null);
  });
});
