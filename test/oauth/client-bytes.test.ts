import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_LISTS_BYTES } from '../../src/oauth/clients/parse-client-input.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, createClient, patch, tryCreate } from './client-bodies.ts';

/** All lists of a client together have a limit. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** Lists of that many bytes together; the server adds openid, which does not count. */
  function lists(bytes: number) {
    const uris = (from: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) =>
        `https://app.example.com/${from}${index}?`.padEnd(2_000, 'a'),
      );
    const scopes = ['tags.read', 'openid'];
    const rest = bytes - 12_000 - 2 * 'tags.read'.length;
    const last = 'https://app.example.com/last?'.padEnd(rest % 2_000, 'a');
    return {
      redirect_uris: [...uris('in', Math.floor(rest / 2_000)), last],
      post_logout_redirect_uris: uris('out', 6),
      scopes,
      optional_scopes: ['tags.read'],
    };
  }

  test('a new client', async () => {
    for (const bytes of [MAX_LISTS_BYTES - 1, MAX_LISTS_BYTES]) {
      await createClient(server, lists(bytes));
    }
    const answer = await tryCreate(server, lists(MAX_LISTS_BYTES + 1));
    assertFaults(answer, ['4001 /optional_scopes']);
    assert.match(answer.json.errors[0].message, /at most 32768 bytes/);
    const first = { ...lists(9_000), redirect_uris: lists(60_000).redirect_uris };
    assertFaults(await tryCreate(server, first), ['4001 /redirect_uris']);
  });

  test('a change: what stays counts too, and the list that is sent is too much', async () => {
    const body = lists(MAX_LISTS_BYTES);
    const { client_id: id } = await createClient(server, body);
    for (const change of [{ client_name: 'x' }, { redirect_uris: body.redirect_uris }, body]) {
      const answer = await patch(server, id, change);
      assert.equal(answer.status, 200, answer.text);
    }
    const origin = 'https://a.example';
    const answer = await patch(server, id, { allowed_cors_origins: [origin] });
    assertFaults(answer, ['4001 /allowed_cors_origins']);
    const [first = '', ...others] = body.redirect_uris;
    const shorter = [first.slice(0, -origin.length), ...others];
    const both = { redirect_uris: shorter, allowed_cors_origins: [origin] };
    assert.equal((await patch(server, id, both)).status, 200);
  });
});
