import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { HANG, RESET } from '../support/scripted-upstream.ts';
import { type ScriptedBench, entryOf, startScripted } from './scripted.ts';
import { UniversalClient } from './universal-client.ts';

onEachDatabase((database) => {
  let bench: ScriptedBench;
  let client: UniversalClient;
  before(async () => {
    bench = await startScripted(database);
    const { origin, accountId, token } = bench.server;
    const url = `${origin.replace('http:', 'ws:')}/v1/${accountId}/default`;
    client = await UniversalClient.open(url, { 'cf-aig-authorization': `Bearer ${token}` });
  });
  after(() => bench.stop());

  test('errors of the gateway are messages of the type error', async () => {
    await bench.upstream.set('reset', [RESET]);
    await bench.upstream.set('silent', [HANG]);
    const [reset] = await client.call(entryOf('openai', 'reset'));
    const { type, error, metadata } = reset;
    assert.deepEqual([type, error.code, error.status], ['error', 2005, 502]);
    assert.match(metadata.eventId, /./);
    const timeout = { 'cf-aig-request-timeout': '100' };
    const [silent] = await client.call({ ...entryOf('openai', 'silent'), headers: timeout });
    assert.deepEqual([silent.type, silent.error.code, silent.error.status], ['error', 2006, 504]);
    const [unknown] = await client.call(entryOf('nowhere', 'any'));
    assert.deepEqual([unknown.type, unknown.error.code], ['error', 2008]);
  });
});
