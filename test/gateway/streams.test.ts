import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import type { TestServer } from '../support/server.ts';
import type { Upstream } from '../support/upstream-process.ts';
import { type ForwardingBench, MESSAGES, startForwarding } from './forwarding.ts';

onEachDatabase((database) => {
  let bench: ForwardingBench;
  let server: TestServer;
  let upstream: Upstream;
  before(async () => {
    bench = await startForwarding(database);
    ({ server, upstream } = bench);
  });
  after(() => bench.stop());

  async function openStream(model: string, signal?: AbortSignal) {
    const response = await fetch(bench.completions, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ model: `openai/${model}`, messages: MESSAGES, stream: true }),
      ...(signal === undefined ? {} : { signal }),
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.ok(response.body);
    return response.body.getReader();
  }

  async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
    }
  }

  test('chunks pass as they come, byte for byte; the usage is logged', async () => {
    const reader = await openStream('streams');
    // The upstream holds the rest back until it is released: this piece was not waited for.
    const first = await reader.read();
    assert.ok(Buffer.from(first.value ?? []).includes('eins'));
    await upstream.release();
    const text = Buffer.concat([first.value ?? new Uint8Array(), await readAll(reader)]).toString();
    assert.ok(text.includes('zwei 🌍'));
    assert.ok(text.endsWith('data: [DONE]\n\n'));
    const log = await bench.lastLog();
    assert.deepEqual([log.tokens_in, log.tokens_out, log.success], [11, 7, true]);
    assert.equal(log.response_content_type, 'text/event-stream');
  });

  for (const model of ['breaks-off', 'breaks-off-in-event', 'breaks-off-with-length']) {
    test(`a break in the middle is told as an error event: ${model}`, async () => {
      const reader = await openStream(model);
      await reader.read();
      await upstream.release();
      const text = (await readAll(reader)).toString();
      const event = text.split('\n').findLast((line) => line.startsWith('data: '));
      const { error } = JSON.parse(event?.slice('data: '.length) ?? '');
      assert.deepEqual([error.type, error.code], ['api_error', '2005']);
      assert.deepEqual(
        [(await bench.lastLog()).status_code, (await bench.lastLog()).success],
        [502, false],
      );
    });
  }

  test('silence in the middle ends the stream with an error event', async () => {
    const reader = await openStream('goes-silent');
    const text = (await readAll(reader)).toString();
    assert.ok(text.includes('"code":"2006"'));
    await upstream.release();
  });

  test('a client that takes nothing for too long is cut, and the upstream call with it', async () => {
    const { port } = new URL(server.origin);
    const body = JSON.stringify({ model: 'openai/endless', messages: MESSAGES });
    const socket = connect(Number(port), '127.0.0.1');
    const { pathname } = new URL(bench.completions);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await eventually('the upstream is aborted', async () => (await bench.lastRecorded()).aborted);
    socket.destroy();
  });

  test('a client that leaves takes the upstream call along: in mid-stream', async () => {
    const abort = new AbortController();
    const reader = await openStream('streams', abort.signal);
    await reader.read();
    abort.abort();
    await eventually('the upstream is aborted', async () => (await bench.lastRecorded()).aborted);
    await eventually(
      'it is logged as 499',
      async () => (await bench.lastLog()).status_code === 499,
    );
    await upstream.release();
  });

  test('a client that leaves takes the upstream call along: before the answer', async () => {
    const before = (await upstream.recorded()).length;
    const abort = new AbortController();
    const answer = fetch(bench.completions, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ model: 'openai/never-answers', messages: MESSAGES }),
      signal: abort.signal,
    });
    await eventually('the call arrives', async () => (await upstream.recorded()).length > before);
    abort.abort();
    await assert.rejects(answer);
    await eventually('the upstream is aborted', async () => (await bench.lastRecorded()).aborted);
  });
});
