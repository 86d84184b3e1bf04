import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret, digestSecret, isWellFormedSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Person, createUserToken } from '../support/people.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';
import { EVERY_ACCOUNT, type Newcomer, newAccount, newcomer, policy } from './newcomers.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const tokensWith = (value: string, accountId = server.accountId): Promise<Answer> =>
    server.call('GET', `/accounts/${accountId}/tokens`, { token: value });

  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();

  describe('all operations', () => {
    let jane: Newcomer;
    beforeEach(async () => {
      jane = await newcomer(server, clock, 'administrator');
    });

    test('create, get, list, verify, update, roll, delete', async () => {
      const body = {
        name: 'mine',
        policies: [
          policy(EVERY_ACCOUNT, ['api-tokens.read', 'tags.write']),
          policy(`com.latchkey.api.account.${server.accountId}.ai-gateway.one`, ['ai-gateway.run']),
          policy(`com.latchkey.api.user.${jane.userId}`, ['user-details.read']),
          policy(`com.example.api.account.${server.accountId}`, ['tags.write'], 'deny'),
        ],
        expires_on: inHours(5),
        condition: { request_ip: { in: ['127.0.0.1'] } },
      };
      const created = await jane.call('POST', '/user/tokens', { body });
      assert.equal(created.status, 200, created.text);
      const { value, ...token } = created.json.result;
      assert.equal(isWellFormedSecret(value, 'lkut_'), true);
      assert.match(value, /^lkut_[0-9A-Za-z]{46}$/);
      assert.deepEqual(
        token.policies.map(({ effect, resources }: Json) => [effect, Object.keys(resources)]),
        [
          ['allow', [EVERY_ACCOUNT]],
          ['allow', [`com.latchkey.api.account.${server.accountId}.ai-gateway.one`]],
          ['allow', [`com.latchkey.api.user.${jane.userId}`]],
          ['deny', [`com.example.api.account.${server.accountId}`]],
        ],
      );
      const path = `/user/tokens/${token.id}`;
      assert.deepEqual((await jane.call('GET', path)).json.result, token);
      const listed = await jane.call('GET', '/user/tokens');
      assert.deepEqual(listed.json.result, [token]);
      assert.equal(listed.json.result_info.total_count, 1);
      assert.equal(listed.text.includes(digestSecret(value)), false);

      const verified = await server.call('GET', '/user/tokens/verify', { token: value });
      assert.deepEqual(verified.json.result, {
        id: token.id,
        status: 'active',
        expires_on: body.expires_on,
      });
      assert.deepEqual(verified.json.messages, [
        { code: 10_000, message: 'This API Token is valid and active' },
      ]);

      const changed = await jane.call('PUT', path, {
        body: { name: 'other', policies: [policy(EVERY_ACCOUNT, ['api-tokens.read'])] },
      });
      assert.equal(changed.json.result.name, 'other');
      assert.equal('expires_on' in changed.json.result, false);
      assert.equal((await tokensWith(value)).status, 200);

      const rolled = (await jane.call('PUT', `${path}/value`, { body: {} })).json.result;
      assert.equal(isWellFormedSecret(rolled, 'lkut_'), true);
      assert.equal((await tokensWith(value)).status, 401);
      assert.equal((await tokensWith(rolled)).status, 200);

      assert.deepEqual((await jane.call('DELETE', path)).json.result, { id: token.id });
      assert.equal((await tokensWith(rolled)).status, 401);
      assert.equal((await jane.call('GET', path)).status, 404);
      assert.equal((await jane.call('DELETE', path)).status, 404);
    });

    test('disabled, too early, expired: 401, also at verify', async () => {
      const create = async (fields: Record<string, unknown>): Promise<Json> => {
        const policies = [policy(EVERY_ACCOUNT, ['api-tokens.read'])];
        const body = { name: 'x', policies, ...fields };
        return (await jane.call('POST', '/user/tokens', { body })).json.result;
      };
      const early = await create({ not_before: inHours(1) });
      const short = await create({ expires_on: inHours(2) });
      const off = await create({});
      const policies = [policy(EVERY_ACCOUNT, ['api-tokens.read'])];
      await jane.call('PUT', `/user/tokens/${off.id}`, {
        body: { name: 'x', policies, status: 'disabled' },
      });
      const verify = async ({ value }: { value: string }): Promise<number> =>
        (await server.call('GET', '/user/tokens/verify', { token: value })).status;
      assert.deepEqual(
        [await verify(early), await verify(short), await verify(off)],
        [401, 200, 401],
      );
      clock.advance(HOUR_MS);
      const answer = await server.call('GET', '/user/tokens/verify', { token: early.value });
      assert.deepEqual(Object.keys(answer.json.result), ['id', 'status', 'not_before']);
      clock.advance(HOUR_MS);
      assert.deepEqual([await verify(early), await verify(short)], [200, 401]);
      const all = await jane.call('GET', '/user/tokens?include_expired=true');
      assert.deepEqual(all.json.result.map(({ status }: Json) => status).toSorted(), [
        'active',
        'disabled',
        'expired',
      ]);
      assert.equal((await jane.call('GET', '/user/tokens')).json.result.length, 2);
    });

    test('what a token of a person may name, and nothing else: 3011', async () => {
      const create = (resource: string): Promise<Answer> =>
        jane.call('POST', '/user/tokens', {
          body: { name: 'x', policies: [policy(resource, ['api-tokens.read'])] },
        });
      for (const resource of [
        '*',
        'com.latchkey.api.user.*',
        `com.latchkey.api.user.${createId()}`,
        'com.latchkey.api.account.**',
        `com.latchkey.api.account.${'A'.repeat(32)}`,
      ]) {
        const answer = await create(resource);
        assert.deepEqual([answer.status, answer.code], [400, 3011], resource);
        assert.deepEqual(answer.json.errors[0].source, { pointer: '/policies/0/resources' });
      }
      for (const resource of [EVERY_ACCOUNT, `com.latchkey.api.user.${jane.userId}`]) {
        assert.equal((await create(resource)).status, 200, resource);
      }
    });

    test('the permission groups', async () => {
      const all = await jane.call('GET', '/user/tokens/permission_groups');
      const named = await jane.call(
        'GET',
        '/user/tokens/permission_groups?name=User%20Details%20Read',
      );
      assert.equal(named.json.result.length, 1);
      assert.deepEqual(named.json.result[0].scopes, ['com.latchkey.api.user']);
      assert.ok(all.json.result.length > 10);
    });

    test('last_used_on', async () => {
      const { id, value } = await createUserToken(server, jane.session, ['api-tokens.read']);
      const read = async (): Promise<Json> =>
        (await jane.call('GET', `/user/tokens/${id}`)).json.result;
      assert.equal('last_used_on' in (await read()), false);
      await tokensWith(value);
      await eventually('the use is on record', async () => 'last_used_on' in (await read()));
      assert.equal((await read()).last_used_on, new Date(clock.now()).toISOString());
    });
  });

  describe('whose they are', () => {
    test("another person's token is not there: 404, whatever is asked", async () => {
      const jane = await newcomer(server, clock, 'administrator');
      const other = await newcomer(server, clock, 'super-administrator');
      const { id } = await createUserToken(server, jane.session, ['api-tokens.read']);
      const body = { name: 'x', policies: [policy(EVERY_ACCOUNT, ['tags.read'])] };
      for (const [method, path, sent] of [
        ['GET', `/user/tokens/${id}`, undefined],
        ['PUT', `/user/tokens/${id}`, body],
        ['PUT', `/user/tokens/${id}/value`, {}],
        ['DELETE', `/user/tokens/${id}`, undefined],
        ['GET', `${server.account}/tokens/${id}`, undefined],
        ['PUT', `${server.account}/tokens/${id}/value`, {}],
        ['DELETE', `${server.account}/tokens/${id}`, undefined],
      ] as const) {
        const options = sent === undefined ? {} : { body: sent };
        const answer = await other.call(method, path, options);
        assert.deepEqual([answer.status, answer.code], [404, 7003], `${method} ${path}`);
      }
      assert.deepEqual((await other.call('GET', '/user/tokens')).json.result, []);
      assert.equal((await jane.call('GET', `/user/tokens/${id}`)).status, 200);
    });

    test("nor is an account's token below /user", async () => {
      const jane = await newcomer(server, clock, 'super-administrator');
      const { id } = await server.createToken(['tags.read']);
      assert.equal((await jane.call('GET', `/user/tokens/${id}`)).status, 404);
      assert.equal((await jane.call('DELETE', `/user/tokens/${id}`)).status, 404);
    });

    test('a token of an account has no person behind it: 403', async () => {
      for (const [method, path] of [
        ['GET', '/user/tokens'],
        ['POST', '/user/tokens'],
        ['GET', `/user/tokens/${createId()}`],
        ['PUT', `/user/tokens/${createId()}/value`],
        ['DELETE', `/user/tokens/${createId()}`],
      ] as const) {
        const answer = await server.call(method, path);
        assert.deepEqual([answer.status, answer.code], [403, 10_000], `${method} ${path}`);
      }
    });

    test('verify tells each kind at its own address, and a session at none', async () => {
      const jane = await newcomer(server, clock, 'administrator');
      const { value } = await createUserToken(server, jane.session, ['api-tokens.read']);
      const atAccount = await server.call('GET', `${server.account}/tokens/verify`, {
        token: value,
      });
      assert.equal(atAccount.status, 403);
      assert.equal((await jane.call('GET', '/user/tokens/verify')).status, 403);
      const unknown = await server.call('GET', '/user/tokens/verify', {
        token: createSecret('lkut_'),
      });
      assert.deepEqual([unknown.status, unknown.code], [401, 10_000]);
    });
  });

  describe('what they allow', () => {
    async function setRoles(person: Person, accountId: string, roles: string[]): Promise<void> {
      await server.app.database.transaction(async (tx, announce) => {
        const member = await tx
          .selectFrom('members')
          .select('id')
          .where('account_id', '=', accountId)
          .where('user_id', '=', person.userId)
          .executeTakeFirstOrThrow();
        await tx.deleteFrom('member_roles').where('member_id', '=', member.id).execute();
        for (const role of roles) {
          await tx
            .insertInto('member_roles')
            .values({ account_id: accountId, member_id: member.id, role })
            .execute();
        }
        if (roles.length === 0) {
          await tx.deleteFrom('members').where('id', '=', member.id).execute();
        }
        announce(userAnnouncement(person.userId));
      });
    }

    test('all accounts of the person, also those that come later, and no others', async () => {
      const jane = await newcomer(server, clock, 'administrator');
      const { value } = await createUserToken(server, jane.session, ['api-tokens.read']);
      assert.equal((await tokensWith(value)).status, 200);
      const later = await newAccount(server, jane.userId, 'administrator');
      const weak = await newAccount(server, jane.userId, 'member');
      const foreign = await newAccount(
        server,
        (await newcomer(server, clock, 'member')).userId,
        'administrator',
      );
      assert.equal((await tokensWith(value, later)).status, 200);
      for (const accountId of [weak, foreign, createId()]) {
        const answer = await tokensWith(value, accountId);
        assert.deepEqual([answer.status, answer.code], [403, 10_000]);
      }
    });

    test('a role taken from the person is taken from the token at once', async () => {
      const jane = await newcomer(server, clock, 'administrator');
      const { value } = await createUserToken(server, jane.session, ['api-tokens.read']);
      assert.equal((await tokensWith(value)).status, 200);
      await setRoles(jane, server.accountId, ['member']);
      assert.equal((await tokensWith(value)).status, 403);
      await setRoles(jane, server.accountId, ['administrator-read-only']);
      assert.equal((await tokensWith(value)).status, 200);
      await setRoles(jane, server.accountId, []);
      assert.equal((await tokensWith(value)).status, 403);
      const verified = await server.call('GET', '/user/tokens/verify', { token: value });
      assert.equal(verified.status, 200);
    });

    test('a role that the person gains is in a token for all accounts, and in none beyond it', async () => {
      const jane = await newcomer(server, clock, 'member');
      const { value } = await createUserToken(server, jane.session, ['api-tokens.read']);
      assert.equal((await tokensWith(value)).status, 403);
      await setRoles(jane, server.accountId, ['administrator']);
      assert.equal((await tokensWith(value)).status, 200);
      const write = await server.call('POST', `${server.account}/tokens`, {
        token: value,
        body: { name: 'x', policies: [allowPolicy(server.accountId, ['tags.read'])] },
      });
      assert.equal(write.status, 403);
    });

    test('never more than its policies: a denial wins', async () => {
      const jane = await newcomer(server, clock, 'administrator');
      const other = await newAccount(server, jane.userId, 'administrator');
      const body = {
        name: 'x',
        policies: [
          policy(EVERY_ACCOUNT, ['api-tokens.read']),
          policy(`com.latchkey.api.account.${server.accountId}`, ['api-tokens.read'], 'deny'),
        ],
      };
      const { value } = (await jane.call('POST', '/user/tokens', { body })).json.result;
      assert.equal((await tokensWith(value)).status, 403);
      assert.equal((await tokensWith(value, other)).status, 200);
    });
  });
});
