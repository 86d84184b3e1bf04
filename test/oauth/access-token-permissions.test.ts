import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addMember, createPerson, firstPerson } from '../support/people.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';
import { createClient } from './client-bodies.ts';

/** An access token is good for: its scopes ∩ what the person may do now ∩ the accounts that were picked. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let clientId: string;
  let otherAccountId: string;
  before(async () => {
    server = await bootServer(database, { clock });
    ({ client_id: clientId } = await createClient(server, {
      scopes: [
        'tags.read',
        'tags.write',
        'members.read',
        'account-settings.write',
        'api-tokens.write',
        'user-details.read',
        'memberships.read',
        'profile',
      ],
    }));
    otherAccountId = createId();
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('accounts')
        .values({ id: otherAccountId, name: 'the other', created_at: 0 })
        .execute();
    });
  });
  after(() => server.stop());

  /** A person with roles in both accounts. */
  async function person(...roles: string[]): Promise<string> {
    const { userId } = await createPerson(server, { accountId: server.accountId, roles });
    await addMember(server, userId, otherAccountId, roles);
    return userId;
  }

  const issue = async (userId: string, scopes: string[], accountIds = [server.accountId]) =>
    (await issueAccessToken(server, { userId, clientId, scopes, accountIds, clock })).value;

  const call = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

  const status = async (token: string, path: string): Promise<number> =>
    (await call(token, 'GET', path)).status;

  const tagKeys = (accountId = server.accountId) => `/accounts/${accountId}/tags/keys`;

  function assertChallenge({ status: code, headers }: Answer, expected: string | null): void {
    assert.equal(code, expected?.includes('invalid_token') === true ? 401 : 403);
    assert.equal(headers.get('www-authenticate'), expected);
  }

  const lacks = (scope: string) => `Bearer error="insufficient_scope", scope="${scope}"`;

  test('an account-owned token shows the user and the client that created it', async () => {
    const userId = await person('super-administrator');
    const { email } = await server.app.database.read
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const token = await issue(userId, ['api-tokens.write', 'tags.read']);
    const policies = [allowPolicy(server.accountId, ['tags.read'])];
    const expires_on = new Date(clock.now() + 1_000).toISOString();
    const body = { name: 'provisioned', policies, expires_on };
    const { json, text } = await call(token, 'POST', `${server.account}/tokens`, body);
    assert.equal(json.success, true, text);
    const path = `${server.account}/tokens/${json.result.id}`;
    const { result } = (await server.call('GET', path)).json;
    const creator = [
      result.creator_email_at_creation,
      result.provisioner_type,
      result.provisioner_id,
    ];
    assert.deepEqual(creator, [email, 'oauth', clientId]);
    // A change by another credential keeps it.
    await server.call('PUT', path, { body: { ...result, name: 'renamed' } });
    const changed = (await server.call('GET', path)).json.result;
    assert.equal(changed.creator_email_at_creation, email);
  });

  describe('the scope', () => {
    test('without it: 403, which names it; with it: let in', async () => {
      const userId = await person('super-administrator');
      const token = await issue(userId, ['openid', 'members.read']);
      const refused = await call(token, 'GET', tagKeys());
      assertChallenge(refused, lacks('tags.read'));
      assert.equal(refused.code, 10_000);
      assert.equal(
        refused.json.errors[0].message,
        'Forbidden: requires the permission "Tags Read" (tags.read)',
      );
      assert.equal(await status(await issue(userId, ['tags.read']), tagKeys()), 200);
    });

    test('`.write` brings `.read` along, and not the other way round', async () => {
      const userId = await person('super-administrator');
      assert.equal(await status(await issue(userId, ['tags.write']), tagKeys()), 200);
      const token = await issue(userId, ['tags.read']);
      assertChallenge(await call(token, 'PUT', `${server.account}/tags`, {}), lacks('tags.write'));
    });

    test('a scope that the client has lost since, or never had, counts for nothing', async () => {
      const userId = await person('super-administrator');
      const token = await issue(userId, ['audit-logs.read']);
      const path = `${server.account}/logs/audit?since=2025-01-01&before=2026-01-02`;
      assertChallenge(await call(token, 'GET', path), lacks('audit-logs.read'));
    });

    test('in some account: the scope is named there too', async () => {
      const token = await issue(await person('super-administrator'), ['tags.read']);
      const body = { name: 'Another' };
      assertChallenge(
        await call(token, 'POST', '/accounts', body),
        lacks('account-settings.write'),
      );
    });
  });

  describe('what the person may do', () => {
    test('a scope without the role: 403, and no other scope would help', async () => {
      const token = await issue(await person('member'), ['tags.write']);
      assertChallenge(await call(token, 'GET', tagKeys()), null);
    });

    test('a Super Administrator behind it makes no Super Administrator of a client', async () => {
      const { userId } = await firstPerson(server);
      const scopes = ['account-settings.write', 'api-tokens.write', 'members.read', 'tags.write'];
      const token = await issue(userId, scopes);
      const answer = await call(token, 'DELETE', server.account);
      assert.deepEqual([answer.status, answer.code], [403, 3022], answer.text);
    });
  });

  describe('the accounts that were picked', () => {
    test('one of two: let in there and nowhere else', async () => {
      const userId = await person('super-administrator');
      const here = await issue(userId, ['tags.read']);
      assert.equal(await status(here, tagKeys()), 200);
      assertChallenge(await call(here, 'GET', tagKeys(otherAccountId)), null);
      assertChallenge(await call(here, 'GET', tagKeys(createId())), null);
      const there = await issue(userId, ['tags.read'], [otherAccountId]);
      assert.equal(await status(there, tagKeys(otherAccountId)), 200);
      assertChallenge(await call(there, 'GET', tagKeys()), null);
      const both = await issue(userId, ['tags.read'], [server.accountId, otherAccountId]);
      assert.equal(await status(both, tagKeys()), 200);
      assert.equal(await status(both, tagKeys(otherAccountId)), 200);
      const nowhere = await issue(userId, ['tags.read'], []);
      assertChallenge(await call(nowhere, 'GET', tagKeys()), null);
    });

    test('the list of accounts has just those', async () => {
      const userId = await person('super-administrator');
      const token = await issue(userId, ['account-settings.write']);
      const { json, status: code } = await call(token, 'GET', '/accounts');
      assert.equal(code, 200);
      assert.deepEqual(
        json.result.map(({ id }: Json) => id),
        [server.accountId],
      );
      assert.equal(await status(token, `/accounts/${otherAccountId}`), 403);
    });

    test('an account of which the person is no member: consent to it is worth nothing', async () => {
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: ['tag-admin'],
      });
      const token = await issue(userId, ['tags.read'], [otherAccountId]);
      assertChallenge(await call(token, 'GET', tagKeys(otherAccountId)), null);
    });

    test('one that was not picked does not even tell that it demands a second factor', async () => {
      const userId = await person('super-administrator');
      const guarded = createId();
      await server.app.database.transaction(async (tx) => {
        const account = {
          id: guarded,
          name: 'guarded',
          created_at: 0,
          enforce_twofactor: 1 as const,
        };
        await tx.insertInto('accounts').values(account).execute();
      });
      await addMember(server, userId, guarded, ['tag-admin']);
      const refusal = async (accountIds: string[], accountId: string) => {
        const {
          status: code,
          json,
          headers,
        } = await call(await issue(userId, ['tags.read'], accountIds), 'GET', tagKeys(accountId));
        return [code, json.errors, headers.get('www-authenticate')];
      };
      const elsewhere = await refusal([server.accountId], guarded);
      assert.deepEqual(elsewhere, await refusal([server.accountId], createId()));
      const [code, errors] = await refusal([guarded], guarded);
      assert.equal(code, 403);
      assert.match(errors[0].message, /two-factor authentication/);
    });

    test('a private client is good for members of its own account alone', async () => {
      const { userId } = await createPerson(server);
      await addMember(server, userId, otherAccountId, ['tag-admin']);
      const token = await issue(userId, ['tags.read'], [otherAccountId]);
      const path = tagKeys(otherAccountId);
      assertChallenge(await call(token, 'GET', path), 'Bearer error="invalid_token"');
      await addMember(server, userId, server.accountId);
      assert.equal(await status(token, path), 200);
    });

    test('a new account would be none of them: a client cannot make one', async () => {
      const token = await issue(await person('super-administrator'), ['account-settings.write']);
      const answer = await call(token, 'POST', '/accounts', { name: 'new' });
      assert.deepEqual([answer.status, answer.code], [403, 10_000]);
      assert.equal(
        answer.json.errors[0].message,
        'Forbidden: an OAuth client cannot create an account; use a session or a user-owned token',
      );
    });
  });

  describe("what is the person's own", () => {
    test('details and memberships: with consent and not without, whatever the accounts', async () => {
      const userId = await person('member');
      const paths = { 'user-details.read': '/user', 'memberships.read': '/memberships' };
      for (const [scope, path] of Object.entries(paths)) {
        assert.equal(await status(await issue(userId, [scope], []), path), 200, scope);
        const others = Object.keys(paths).filter((other) => other !== scope);
        const token = await issue(userId, [...others, 'members.read', 'profile']);
        assertChallenge(await call(token, 'GET', path), lacks(scope));
      }
      const { json } = await call(await issue(userId, ['user-details.read'], []), 'GET', '/user');
      assert.equal(json.result.id, userId);
    });

    test('API tokens of the person are out of reach, whatever was consented to', async () => {
      const userId = await person('super-administrator');
      const token = await issue(
        userId,
        ['api-tokens.write', 'user-details.read'],
        [server.accountId, otherAccountId],
      );
      assert.equal(await status(token, `${server.account}/tokens`), 200);
      for (const [method, path] of [
        ['GET', '/user/tokens'],
        ['POST', '/user/tokens'],
        ['GET', `/user/tokens/${createId()}`],
        ['DELETE', `/user/tokens/${createId()}`],
        ['GET', '/user/tokens/permission_groups'],
      ] as const) {
        const answer = await call(token, method, path, method === 'POST' ? {} : undefined);
        assert.deepEqual([answer.status, answer.code], [403, 10_000], `${method} ${path}`);
      }
      // No scope would help.
      const without = await issue(userId, ['tags.read']);
      assertChallenge(await call(without, 'GET', '/user/tokens'), null);
    });

    test('what guards the credentials of a person takes the person', async () => {
      const token = await issue(await person('super-administrator'), ['user-details.read']);
      for (const [method, path] of [
        ['GET', '/user/sessions'],
        ['GET', '/user/totp'],
        ['GET', '/user/passkeys'],
        ['PATCH', '/user'],
        ['PUT', '/user/password'],
      ] as const) {
        const answer = await call(token, method, path, method === 'GET' ? undefined : {});
        assert.deepEqual([answer.status, answer.code], [403, 10_000], `${method} ${path}`);
        assert.equal(answer.headers.get('www-authenticate'), null);
      }
    });
  });

  describe('the token itself', () => {
    test('an unknown token: 401 with invalid_token', async () => {
      const challenge = 'Bearer error="invalid_token"';
      for (const unknown of [createSecret('lkoat_'), createSecret('lkat_'), 'garbage']) {
        assertChallenge(await call(unknown, 'GET', tagKeys()), challenge);
      }
      // The form of these tokens is wrong.
      const value = await issue(await person('tag-admin'), ['tags.read']);
      const changed = value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
      const damaged = await call(changed, 'GET', tagKeys());
      assert.equal(damaged.status, 401);
      for (const other of [
        value.replace('lkoat_', 'lkat_'),
        value.replace('lkoat_', 'lkort_'),
        `${value}0`,
        value.slice(0, -1),
        createSecret('lkort_'),
      ]) {
        assert.equal(await status(other, tagKeys()), 401, other);
      }
    });

    test('it is good for an hour, to the millisecond', async () => {
      const value = await issue(await person('tag-admin'), ['tags.read']);
      clock.advance(ACCESS_TOKEN_MS - 1);
      assert.equal(await status(value, tagKeys()), 200);
      clock.advance(1);
      assertChallenge(await call(value, 'GET', tagKeys()), 'Bearer error="invalid_token"');
    });

    test('changes and refusals are logged with the person and the client', async () => {
      const { userId, email } = await createPerson(server, {
        accountId: server.accountId,
        roles: ['administrator'],
      });
      const token = await issue(userId, ['account-settings.write']);
      const lastRow = async (chain: string) => {
        const row = (await readAuditRows(server.app.database, chain)).at(-1);
        assert.ok(row !== undefined);
        assert.deepEqual(
          [row.actor_type, row.actor_context, row.actor_id, row.actor_email],
          ['oauth', 'oauth', userId, email],
        );
        assert.deepEqual([row.actor_token_id, row.actor_token_name], [clientId, 'Example']);
        return [row.action_type, row.action_result, row.request_uri];
      };
      const renamed = await call(token, 'PUT', server.account, { name: 'renamed' });
      assert.equal(renamed.status, 200, renamed.text);
      const uri = `/client/v4${server.account}`;
      assert.deepEqual(await lastRow(server.accountId), ['update', 'success', uri]);
      assert.equal(await status(token, tagKeys()), 403);
      assert.deepEqual(await lastRow(server.accountId), ['view', 'failure', `${uri}/tags/keys`]);
      // Of an account that was not picked, the person's own log tells.
      assert.equal(await status(token, tagKeys(otherAccountId)), 403);
      const [type, result] = await lastRow(userId);
      assert.deepEqual([type, result], ['view', 'failure']);
      assert.deepEqual(await readAuditRows(server.app.database, otherAccountId), []);
    });

    test('an idempotency key repeats an answer to the same token, and to no other', async () => {
      const userId = await person('super-administrator');
      const [one, other] = [
        await issue(userId, ['api-tokens.write', 'tags.read']),
        await issue(userId, ['api-tokens.write', 'tags.read']),
      ];
      const create = (token: string) =>
        server.call('POST', `${server.account}/tokens`, {
          token,
          headers: { 'idempotency-key': 'once' },
          body: {
            name: 'idempotent',
            policies: [allowPolicy(server.accountId, ['tags.read'])],
            expires_on: new Date(clock.now() + 60_000).toISOString(),
          },
        });
      const [first, again, elsewhere] = [await create(one), await create(one), await create(other)];
      assert.equal(first.status, 200, first.text);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(again.json.result, first.json.result);
      assert.equal(elsewhere.headers.get('idempotency-replayed'), null);
      assert.notEqual(elsewhere.json.result.id, first.json.result.id);
    });
  });
});
