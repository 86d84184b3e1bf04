import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { bootServer, request } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

const AFTER = 'https://app.example.com/bye';
// A hundred before the address is blocked, and two hundred a second then.
const FREE_LOOK_UPS = 300;

onEachDatabase((database) => {
  test('clients that are made up are looked up so many times', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const client = await createClient(server, { post_logout_redirect_uris: [AFTER] });
    const leave = async (clientId: string): Promise<number> => {
      const fields = { client_id: clientId, post_logout_redirect_uri: AFTER };
      const query = new URLSearchParams(fields).toString();
      return (await request('GET', `${server.origin}/oauth2/logout?${query}`)).status;
    };
    for (let guess = 0; guess < FREE_LOOK_UPS; guess++) {
      assert.equal(await leave(createId()), 400);
    }
    assert.equal(await leave(createId()), 429);
    clock.advance(1_000);
    assert.equal(await leave(client.client_id), 200);
  });
});
