import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from 'undici';
import { fetchLogo } from '../../src/oauth/logos/fetch-logo.ts';
import { startFileServer } from '../support/file-server.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

test('a server that takes too long has no logo', async (t) => {
  const agent = new Agent();
  t.after(() => agent.destroy());
  const files = await startFileServer(t);
  const controller = new AbortController();
  files.answer = (_request, response) => {
    response.write(PNG, () => controller.abort());
  };
  assert.equal(await fetchLogo(agent, `${files.origin}/`, controller.signal), undefined);
  files.answer = () => {};
  const before = AbortSignal.abort();
  assert.equal(await fetchLogo(agent, `${files.origin}/`, before), undefined);
  files.answer = (_request, response) => response.end(PNG);
  const never = new AbortController().signal;
  const logo = await fetchLogo(agent, `${files.origin}/`, never);
  assert.ok(logo?.content.equals(PNG));
});

test('what it is asked with', async (t) => {
  const agent = new Agent();
  t.after(() => agent.destroy());
  const files = await startFileServer(t);
  files.answer = ({ headers }, response) => {
    assert.equal(headers['accept-encoding'], 'identity');
    assert.equal(headers.connection, 'close');
    assert.equal(headers.cookie, undefined);
    assert.equal(headers.referer, undefined);
    response.end(PNG);
  };
  assert.ok(await fetchLogo(agent, `${files.origin}/`, new AbortController().signal));
});
