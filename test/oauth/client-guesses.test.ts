import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';
import { authPath } from './authorizing.ts';
import { createClient } from './client-bodies.ts';

const FREE_ATTEMPTS = 100;
const LOOK_UPS_PER_SECOND = 200;

onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const statusesOf = async (clientId: string): Promise<number[]> => {
    const ask = (path: string): Promise<Answer> => request('GET', server.origin + path);
    const page = await ask(authPath({ client_id: clientId }));
    const logo = await ask(`/oauth2/clients/${clientId}/logo`);
    for (const { status, headers } of [page, logo]) {
      if (status === 429) assert.equal(headers.get('retry-after'), '1');
    }
    return [page.status, logo.status];
  };

  test('clients that are made up are looked up so many times', async () => {
    const { client_id: known } = await createClient(server);
    const { client_id: unknown } = await createClient(server);
    await statusesOf(known);
    // The second of a pair is answered by memory, and counts as wrong too.
    const pairs = FREE_ATTEMPTS / 2 + LOOK_UPS_PER_SECOND;
    for (let i = 0; i < pairs; i++) assert.deepEqual(await statusesOf(createId()), [400, 404]);
    assert.deepEqual(await statusesOf(createId()), [429, 429]);
    // Whoever is known passes, and what is no id costs no look-up.
    assert.deepEqual(await statusesOf(known), [400, 200]);
    assert.deepEqual(await statusesOf('x'), [400, 404]);
    // Nobody knows yet whether there is this one.
    assert.deepEqual(await statusesOf(unknown), [429, 429]);
    clock.advance(1_000);
    assert.deepEqual(await statusesOf(unknown), [400, 200]);
  });
});
