import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isWellFormedSecret } from '../../src/lib/secrets.ts';
import {
  findSecretDigests,
  matchSecret,
  noteSecretUse,
} from '../../src/oauth/clients/client-secret-store.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';
import { insertForeignClient } from './foreign-client.ts';
import { auditOf, readClient } from './verification-clients.ts';

/** The state table of the seed's section 3.3, and every move that is not in it. */
onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  function send(method: 'POST' | 'DELETE', clientId: string, options = {}): Promise<Answer> {
    const path = `${server.account}/oauth_clients/${clientId}/rotate_secret`;
    return server.call(method, path, options);
  }

  async function works(clientId: string, secret: string): Promise<boolean> {
    const { read } = server.app.database;
    return matchSecret(await findSecretDigests(read, clientId), secret) !== undefined;
  }

  /** As the token endpoint does. */
  async function use(clientId: string, secret: string): Promise<boolean> {
    const { read } = server.app.database;
    const digest = matchSecret(await findSecretDigests(read, clientId), secret);
    assert.ok(digest);
    return server.app.database.transaction((tx) =>
      noteSecretUse(tx, { clientId, digest }, clock.now()),
    );
  }

  async function createRotated(): Promise<{ id: string; old: string; new: string }> {
    const client = await createClient(server);
    clock.advance(1_000);
    const { json } = await send('POST', client.client_id);
    return { id: client.client_id, old: client.client_secret, new: json.result.client_secret };
  }

  function assertRefused({ status, code, json }: Answer, expected: number): void {
    assert.deepEqual([status, code], [400, expected]);
    assert.equal(json.result, null);
  }

  describe('one secret', () => {
    test('→ two with POST: both work, and the old one’s last use is told', async () => {
      const client = await createClient(server);
      const id = client.client_id;
      const createdAt = client.created_at;
      clock.advance(5_000);
      const usedAt = new Date(clock.now()).toISOString();
      await use(id, client.client_secret);
      clock.advance(5_000);
      const answer = await send('POST', id);
      assert.equal(answer.status, 200, answer.text);
      const { client_secret: secret, ...rest } = answer.json.result;
      assert.ok(isWellFormedSecret(secret, 'lkcs_'), secret);
      const now = new Date(clock.now()).toISOString();
      const secrets = [
        { created_at: createdAt, last_used_at: usedAt },
        { created_at: now, last_used_at: null },
      ];
      assert.deepEqual(rest, { secrets });
      const record = await readClient(server, id);
      assert.equal(record.has_rotated_secret, true);
      assert.deepEqual(record.secrets, secrets);
      assert.equal(record.updated_at, now);
      assert.equal(await works(id, client.client_secret), true);
      assert.equal(await works(id, secret), true);
    });

    test('DELETE is refused', async () => {
      const client = await createClient(server);
      assertRefused(await send('DELETE', client.client_id), 4021);
      assert.equal(await works(client.client_id, client.client_secret), true);
    });
  });

  describe('two secrets', () => {
    test('→ one with DELETE: only the new one works', async () => {
      const { id, ...secrets } = await createRotated();
      clock.advance(1_000);
      const answer = await send('DELETE', id);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json.result, { id });
      assert.equal(await works(id, secrets.old), false);
      assert.equal(await works(id, secrets.new), true);
      const record = await readClient(server, id);
      assert.equal(record.has_rotated_secret, false);
      assert.equal(record.secrets.length, 1);
      assert.equal(record.updated_at, new Date(clock.now()).toISOString());
    });

    test('POST is refused until the old one is deleted', async () => {
      const { id, ...secrets } = await createRotated();
      assertRefused(await send('POST', id), 4020);
      assert.equal(await works(id, secrets.old), true);
      assert.equal(await works(id, secrets.new), true);
      assert.equal((await send('DELETE', id)).status, 200);
      assert.equal((await send('POST', id)).status, 200);
      assertRefused(await send('POST', id), 4020);
    });

    test('made within the same millisecond: the old one is still the old one', async () => {
      for (let round = 0; round < 8; round++) {
        const client = await createClient(server);
        const id = client.client_id;
        const { json } = await send('POST', id);
        await send('DELETE', id);
        assert.equal(await works(id, client.client_secret), false);
        assert.equal(await works(id, json.result.client_secret), true);
      }
    });
  });

  test('no secret: both are refused', async () => {
    const client = await createClient(server, { token_endpoint_auth_method: 'none' });
    assertRefused(await send('POST', client.client_id), 4022);
    assertRefused(await send('DELETE', client.client_id), 4022);
    assert.deepEqual((await readClient(server, client.client_id)).secrets, []);
  });

  test('of many rotations at once exactly one wins', async () => {
    const client = await createClient(server);
    const id = client.client_id;
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', id)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const answer of answers) if (answer !== won[0]) assertRefused(answer, 4020);
    assert.equal(await works(id, won[0]?.json.result.client_secret), true);
    assert.equal((await readClient(server, id)).secrets.length, 2);
  });

  test('of many deletions at once exactly one wins, and the new secret stays', async () => {
    const { id, ...secrets } = await createRotated();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('DELETE', id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ code }) => code === 4021).length, 7);
    assert.equal(await works(id, secrets.new), true);
  });

  test('rotations and deletions at once leave one secret or two, never none', async () => {
    const { id } = await createRotated();
    for (let round = 0; round < 4; round++) {
      await Promise.all([send('DELETE', id), send('POST', id), send('DELETE', id)]);
      const { secrets } = await readClient(server, id);
      assert.ok(secrets.length === 1 || secrets.length === 2, `${secrets.length}`);
    }
  });

  test('the same Idempotency-Key answers the same secret again', async () => {
    const client = await createClient(server);
    const headers = { 'idempotency-key': 'rotation-1' };
    const first = await send('POST', client.client_id, { headers });
    assert.equal(first.status, 200, first.text);
    const again = await send('POST', client.client_id, { headers });
    assert.deepEqual(again.json, first.json);
    assertRefused(await send('POST', client.client_id), 4020);
  });

  test('both stand in the audit log, without the secret', async () => {
    const { id, ...secrets } = await createRotated();
    await send('DELETE', id);
    const rows = await auditOf(server, id);
    assert.deepEqual(
      rows.map((row) => row.action_type),
      ['create', 'rotate_secret', 'delete_old_secret'],
    );
    const text = JSON.stringify(rows) + server.logLines.join('');
    assert.equal(text.includes(secrets.old) || text.includes(secrets.new), false);
  });

  test('a deleted client leaves neither of its secrets', async () => {
    const { id, ...secrets } = await createRotated();
    await server.call('DELETE', `${server.account}/oauth_clients/${id}`);
    assert.equal(await works(id, secrets.old), false);
    assert.equal(await works(id, secrets.new), false);
  });

  test('404 for an unknown, malformed or foreign id', async () => {
    const foreign = await insertForeignClient(server);
    for (const id of ['0'.repeat(32), 'x', foreign]) {
      for (const method of ['POST', 'DELETE'] as const) {
        const { status, code } = await send(method, id);
        assert.deepEqual([status, code], [404, 4040]);
      }
    }
  });

  test('401, and 403 with a token that only reads', async () => {
    const client = await createClient(server);
    const { value } = await server.createToken(['oauth-clients.read']);
    for (const method of ['POST', 'DELETE'] as const) {
      assert.equal((await send(method, client.client_id, { token: null })).status, 401);
      const forbidden = await send(method, client.client_id, { token: value });
      assert.equal(forbidden.status, 403);
      assert.match(forbidden.json.errors[0].message, /OAuth Clients Write/);
    }
  });

  test('405 names the methods', async () => {
    const client = await createClient(server);
    const path = `${server.account}/oauth_clients/${client.client_id}/rotate_secret`;
    const answer = await server.call('GET', path);
    assert.equal(answer.status, 405);
    assert.match(answer.headers.get('allow') ?? '', /POST.*DELETE|DELETE.*POST/);
  });

  describe('a presented secret', () => {
    test('of another client, misspelt, of another kind or empty: none of the client’s', async () => {
      const [mine, other] = [await createRotated(), await createRotated()];
      const swapped = mine.old.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const text of [other.old, other.new, swapped, `${mine.old} `, '', server.token]) {
        assert.equal(await works(mine.id, text), false, text);
      }
      assert.equal(await works('0'.repeat(32), mine.old), false);
    });

    test('notes its use at most once a minute', async () => {
      const { id, ...secrets } = await createRotated();
      const lastUsed = async (): Promise<Json> =>
        (await readClient(server, id)).secrets.map((secret: Json) => secret.last_used_at);
      const first = new Date(clock.now()).toISOString();
      assert.equal(await use(id, secrets.old), true);
      clock.advance(59_999);
      assert.equal(await use(id, secrets.old), false);
      assert.deepEqual(await lastUsed(), [first, null]);
      clock.advance(1);
      assert.equal(await use(id, secrets.old), true);
      const second = new Date(clock.now()).toISOString();
      assert.deepEqual(await lastUsed(), [second, null]);
      assert.equal(await use(id, secrets.new), true);
      assert.deepEqual(await lastUsed(), [second, second]);
    });

    test('notes its use although the last one lies in the future: a clock was wrong', async () => {
      const { id, ...secrets } = await createRotated();
      clock.advance(86_400_000);
      assert.equal(await use(id, secrets.new), true);
      clock.advance(-86_400_000);
      assert.equal(await use(id, secrets.new), true);
      assert.equal(await use(id, secrets.new), false);
      const [, second] = (await readClient(server, id)).secrets;
      assert.equal(second.last_used_at, new Date(clock.now()).toISOString());
    });

    test('used many times at once: written once', async () => {
      const { id, ...secrets } = await createRotated();
      const written = await Promise.all(Array.from({ length: 8 }, () => use(id, secrets.new)));
      assert.equal(written.filter(Boolean).length, 1);
    });
  });
});
