import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { LogPayload } from '../../src/request-log/record.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type LogBench, type WrittenLog, startLogBench } from './log-api.ts';

const HEAD_BYTES = 10 * 1024;

function payload(request: string | Buffer, response: string, responseSize?: number): LogPayload {
  const [asked, answered] = [Buffer.from(request), Buffer.from(response)];
  return {
    request: asked,
    response: [answered],
    requestSize: asked.length,
    responseSize: responseSize ?? answered.length,
    requestHeaders: '{"accept":"text/plain"}',
    responseHeaders: '{"x-ratelimit-limit":"7"}',
    secrets: [],
  };
}

onEachDatabase((database) => {
  let bench: LogBench;
  let logs: string;
  before(async () => {
    bench = await startLogBench(database);
    await bench.createGateway('main');
    logs = `${bench.gateways}/main/logs`;
  });
  after(() => bench.stop());

  const write = async (row: WrittenLog): Promise<string> => {
    const [record] = await bench.write('main', [row]);
    return record?.row.id ?? '';
  };
  const get = (path: string, token?: string | null) =>
    bench.server.call('GET', path, token === undefined ? {} : { token });

  test('a log tells its fields, the heads of its bodies and their header fields', async () => {
    const id = await write({
      model_type: 'text-generation',
      request_content_type: 'application/json',
      response_content_type: 'text/event-stream',
      payload: payload('{"model":"echo"}', 'data: {}\n\n', 500),
    });
    const { status, json } = await get(`${logs}/${id}`);
    assert.equal(status, 200);
    const { result } = json;
    assert.equal(result.id, id);
    assert.equal(result.model_type, 'text-generation');
    assert.deepEqual(
      [result.request_head, result.request_head_complete, result.request_size],
      ['{"model":"echo"}', true, 16],
    );
    // The whole body is larger than the stored part.
    assert.deepEqual(
      [result.response_head, result.response_head_complete, result.response_size],
      ['data: {}\n\n', false, 500],
    );
    assert.deepEqual(result.request_headers, { accept: 'text/plain' });
    assert.deepEqual(result.response_headers, { 'x-ratelimit-limit': '7' });
    const [listed] = (await bench.list('main', '?per_page=1')).json.result;
    assert.deepEqual({ ...result, ...listed }, result);
    assert.equal('request_head' in listed, false);
  });

  test('a head has ten KiB at most, and ends with a whole character', async () => {
    for (const [text, head] of [
      ['x'.repeat(HEAD_BYTES), 'x'.repeat(HEAD_BYTES)],
      ['x'.repeat(HEAD_BYTES + 1), 'x'.repeat(HEAD_BYTES)],
      [`${'x'.repeat(HEAD_BYTES - 1)}é`, 'x'.repeat(HEAD_BYTES - 1)],
    ] as const) {
      const id = await write({ payload: payload(text, '') });
      const { result } = (await get(`${logs}/${id}`)).json;
      assert.equal(result.request_head, head);
      assert.equal(result.request_head_complete, text === head);
      assert.deepEqual([result.response_head, result.response_head_complete], ['', true]);
      assert.equal((await get(`${logs}/${id}/request`)).text, text);
    }
  });

  test('bodies come as they were kept, with their type, and never as a page of ours', async () => {
    const page = '<script>alert(1)</script>';
    const id = await write({
      request_content_type: 'application/json; charset=utf-8',
      response_content_type: 'text/html',
      payload: payload('{ "a":1,\n"a":2.0 }', page),
    });
    const asked = await get(`${logs}/${id}/request`);
    assert.deepEqual([asked.status, asked.text], [200, '{ "a":1,\n"a":2.0 }']);
    assert.equal(asked.headers.get('content-type'), 'application/json; charset=utf-8');
    const { text, headers } = await get(`${logs}/${id}/response`);
    assert.equal(text, page);
    assert.equal(headers.get('content-type'), 'text/html');
    assert.equal(headers.get('content-disposition'), 'attachment');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox/);
  });

  test('a type that is none becomes bytes', async () => {
    for (const type of [null, 'nonsense', 'text/html\r\nx-evil: 1', 'text/plain; a="é"']) {
      const id = await write({ request_content_type: type, payload: payload('x', 'y') });
      const { status, headers } = await get(`${logs}/${id}/request`);
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('x-evil')],
        [200, 'application/octet-stream', null],
      );
    }
  });

  test('a log without bodies lacks their members, and its bodies are 404', async () => {
    const id = await write({});
    const { result } = (await get(`${logs}/${id}`)).json;
    for (const side of ['request', 'response']) {
      for (const field of ['head', 'head_complete', 'size']) {
        assert.equal(`${side}_${field}` in result, false);
      }
      assert.equal(result[`${side}_headers`], null);
      const { status, code } = await get(`${logs}/${id}/${side}`);
      assert.deepEqual([status, code], [404, 7003]);
    }
  });

  test('a large body comes whole', async () => {
    const body = randomBytes(2_000_000).toString('hex');
    const id = await write({ payload: payload(body, 'x') });
    assert.equal((await get(`${logs}/${id}/request`)).text.length, body.length);
  });

  test('what went through is there at once', async () => {
    const { server } = bench;
    const { headers } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': 'main' },
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
    });
    const id = headers.get('cf-aig-log-id') ?? '';
    assert.match((await get(`${logs}/${id}`)).json.result.request_head, /hello/);
    assert.match((await get(`${logs}/${id}/response`)).text, /hello/);
  });

  test('404 for what is not there or another’s, 403 and 401 for who may not read', async () => {
    const id = await write({ payload: payload('x', 'y') });
    await bench.createGateway('other');
    const { server } = bench;
    const token = (await server.createToken(['ai-gateway.run'])).value;
    for (const end of ['', '/request', '/response']) {
      for (const wrong of [createUuidV7(Date.now()), createUuidV7(1), 'x', id.toUpperCase()]) {
        const { status, code } = await get(`${logs}/${wrong}${end}`);
        assert.deepEqual([status, code], [404, 7003], wrong);
      }
      for (const gateway of ['other', 'none']) {
        const path = `${bench.gateways}/${gateway}/logs/${id}${end}`;
        assert.equal((await get(path)).status, 404);
      }
      assert.equal((await get(`${logs}/${id}${end}`, token)).status, 403);
      assert.equal((await get(`${logs}/${id}${end}`, null)).status, 401);
    }
  });
});
