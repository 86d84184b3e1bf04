import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { StoredPolicy } from '../../src/iam/policy.ts';
import { permissions } from '../../src/iam/permissions.ts';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { giveSession } from '../oauth/authorizing.ts';
import { addAccount, decideWith, formOf, setClient } from '../oauth/consent-form.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { type IssuedToken, issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';

/** A person in two accounts, the first of which will end the membership. */
interface Bench {
  userId: string;
  memberId: string;
  session: SessionHeaders;
  first: string;
  second: string;
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let chief: SessionHeaders;
  before(async () => {
    server = await bootServer(database, { clock });
    chief = await signInAs(server, (await firstPerson(server)).userId, clock);
  });
  after(() => server.stop());

  async function begin(): Promise<Bench> {
    const first = server.accountId;
    const { userId, memberId = '' } = await createPerson(server, {
      accountId: first,
      roles: ['administrator'],
    });
    const second = await addAccount(server, userId, 'Second', { roles: ['administrator'] });
    return { userId, memberId, session: await signInAs(server, userId, clock), first, second };
  }

  async function createToken({ session }: Bench, ...accounts: string[]): Promise<string> {
    const group = permissions.find(({ slug }) => slug === 'tags.read');
    const resources = Object.fromEntries(
      accounts.map((id) => [`com.latchkey.api.account.${id}`, '*']),
    );
    const { json, text } = await server.call('POST', '/user/tokens', {
      token: null,
      headers: session,
      body: {
        name: accounts.join(' '),
        policies: [{ effect: 'allow', permission_groups: [{ id: group?.id }], resources }],
      },
    });
    assert.equal(json.success, true, text);
    return json.result.value as string;
  }

  const statusIn = async (accountId: string, token: string): Promise<number> =>
    (await server.call('GET', `/accounts/${accountId}/tags/keys`, { token })).status;

  /** The status in both accounts. */
  const statuses = async ({ first, second }: Bench, token: string): Promise<number[]> => [
    await statusIn(first, token),
    await statusIn(second, token),
  ];

  const remove = async ({ first, memberId }: Bench): Promise<void> => {
    const path = `/accounts/${first}/members/${memberId}`;
    const { status, text } = await server.call('DELETE', path, { token: null, headers: chief });
    assert.equal(status, 200, text);
  };

  const leave = async ({ session, memberId }: Bench): Promise<void> => {
    const path = `/memberships/${memberId}`;
    const { status, text } = await server.call('DELETE', path, { token: null, headers: session });
    assert.equal(status, 200, text);
  };

  for (const [name, end] of Object.entries({ 'is removed': remove, 'has left': leave })) {
    test(`API tokens of a person who ${name} stay without the account after a return`, async () => {
      const bench = await begin();
      const { first, second, userId } = bench;
      const here = await createToken(bench, first);
      const both = await createToken(bench, first, second);
      const everywhere = await createToken(bench, '*');
      const elsewhere = await createToken(bench, second);
      for (const token of [both, everywhere]) {
        assert.deepEqual(await statuses(bench, token), [200, 200]);
      }
      await end(bench);
      const expected: [string, number[]][] = [
        [here, [401, 401]],
        [both, [403, 200]],
        [everywhere, [403, 200]],
        [elsewhere, [403, 200]],
      ];
      for (const [token, wanted] of expected) {
        assert.deepEqual(await statuses(bench, token), wanted);
      }
      await addMember(server, userId, first, ['administrator']);
      for (const [token, wanted] of expected) {
        assert.deepEqual(await statuses(bench, token), wanted);
      }
      // New tokens work, and so does an old one once its owner has allowed it again.
      assert.equal(await statusIn(first, await createToken(bench, first)), 200);
      const { json } = await server.call('GET', '/user/tokens', {
        token: null,
        headers: bench.session,
      });
      const listed = json.result.find((token: { name: string }) => token.name === '*');
      assert.deepEqual(
        listed.policies.map(({ effect }: { effect: string }) => effect),
        ['allow', 'deny'],
      );
      const body = { name: '*', policies: listed.policies.slice(0, 1) };
      const path = `/user/tokens/${listed.id}`;
      const changed = await server.call('PUT', path, { token: null, headers: bench.session, body });
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(await statuses(bench, everywhere), [200, 200]);
    });

    test(`grants of a person who ${name} do not come back`, async () => {
      const bench = await begin();
      const { first, second, userId } = bench;
      const issue = async (...accountIds: string[]): Promise<IssuedToken> => {
        const client = await createClient(server, { scopes: ['tags.read'] });
        await server.app.database.transaction(async (tx, announce) => {
          const change = tx.updateTable('oauth_clients').set({ visibility: 'public' });
          await change.where('id', '=', client.client_id).execute();
          announce({ topic: 'oauth_client', key: client.client_id });
        });
        return issueAccessToken(server, { userId, clientId: client.client_id, accountIds, clock });
      };
      const here = await issue(first);
      const both = await issue(first, second);
      const elsewhere = await issue(second);
      assert.deepEqual(await statuses(bench, both.value), [200, 200]);
      await end(bench);
      for (const returned of [false, true]) {
        if (returned) await addMember(server, userId, first, ['administrator']);
        assert.deepEqual(await statuses(bench, here.value), [401, 401]);
        assert.deepEqual(await statuses(bench, both.value), [403, 200]);
        assert.deepEqual(await statuses(bench, elsewhere.value), [403, 200]);
      }
      const { json } = await server.call('GET', '/user/oauth_grants', {
        token: null,
        headers: bench.session,
      });
      assert.equal(json.result.length, 2);
    });
  }

  test('where a client has a grant for the other accounts already, one of the two ends', async () => {
    const bench = await begin();
    const { first, second, userId } = bench;
    const client = await createClient(server, { scopes: ['tags.read'] });
    await setClient(server, client, { visibility: 'public' });
    const clientId: string = client.client_id;
    const issue = (...accountIds: string[]): Promise<IssuedToken> =>
      issueAccessToken(server, { userId, clientId, accountIds, clock });
    await issue(second);
    await issue(first, second);
    await remove(bench);
    const rows = await server.app.database.read
      .selectFrom('oauth_grants')
      .select('accounts')
      .where('user_id', '=', userId)
      .execute();
    assert.deepEqual(
      rows.map(({ accounts }) => accounts),
      [JSON.stringify([second])],
    );
  });

  test('the log of the person says what ended, once', async () => {
    const bench = await begin();
    await createToken(bench, '*');
    await remove(bench);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select(['action_type', 'resource_request'])
      .where('chain_id', '=', bench.userId)
      .where('resource_type', '=', 'membership')
      .execute();
    const shown = { account_id: bench.first, authorizations: 0, tokens: 1 };
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.resource_request]),
      [['end', JSON.stringify(shown)]],
    );
  });

  test('requests that wait while the membership ends leave nothing behind', async () => {
    const bench = await begin();
    const { first, session, userId } = bench;
    const group = permissions.find(({ slug }) => slug === 'tags.read');
    const definition = (name: string) => ({
      name,
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id: group?.id }],
          resources: { [`com.latchkey.api.account.${first}`]: '*' },
        },
      ],
    });
    const as = (path: string, body: object) =>
      server.call('POST', path, { token: null, headers: session, body });
    const waiting: Promise<{ path: string; answer: Answer; endedAtMs: number }>[] = [];
    const send = (path: string, body: object): void => {
      const sent = as(path, body);
      waiting.push(sent.then((answer) => ({ path, answer, endedAtMs: performance.now() })));
    };
    const sendAll = (i: number): void => {
      send('/user/tokens', definition(`own ${i}`));
      send(`/accounts/${first}/tokens`, definition(`of the account ${i}`));
      const roles = [findRoleBySlug('member')?.id ?? ''];
      send(`/accounts/${first}/members`, { email: `late${i}@example.com`, roles });
    };
    for (let i = 0; i < 10; i++) sendAll(i);
    const removing = remove(bench).then(() => performance.now());
    for (let i = 10; i < 20; i++) sendAll(i);
    const removedAtMs = await removing;
    const ended = await Promise.all(waiting);
    const late = ended.filter(
      ({ answer, endedAtMs }) => answer.status === 200 && endedAtMs > removedAtMs + 50,
    );
    assert.deepEqual(
      late.map(({ path }) => path),
      [],
    );
    for (const { answer } of ended) {
      assert.ok([200, 401, 403, 429, 503].includes(answer.status), answer.text);
    }
    await addMember(server, userId, first, ['administrator']);
    const own = ended.filter(
      ({ path, answer }) => path === '/user/tokens' && answer.status === 200,
    );
    for (const { answer } of own) {
      assert.notEqual(await statusIn(first, answer.json.result.value as string), 200);
    }
  });

  test('a consent page from before the end allows nothing after it', async () => {
    const bench = await begin();
    const { first, userId } = bench;
    const client = await createClient(server, { scopes: ['tags.read'] });
    const visitor = new Visitor(server);
    await giveSession(server, clock, visitor, userId);
    const form = await formOf(visitor, client);
    await remove(bench);
    const decided = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.append('account', first);
    });
    assert.equal(
      new URL(decided.headers.get('location') ?? 'http://none').searchParams.get('code'),
      null,
    );
  });

  test('grants to a private client of the account end, whatever they are about', async () => {
    const bench = await begin();
    const { first, second, userId } = bench;
    const issued: IssuedToken[] = [];
    for (const [accountIds, scopes] of [
      [[], ['openid']],
      [[second], ['openid', 'tags.read']],
    ] as const) {
      const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
      const options = { userId, clientId, accountIds: [...accountIds], scopes: [...scopes], clock };
      issued.push(await issueAccessToken(server, options));
    }
    await remove(bench);
    await addMember(server, userId, first, ['administrator']);
    for (const { value } of issued) {
      const userinfo = await request('GET', `${server.origin}/oauth2/userinfo`, { token: value });
      assert.equal(userinfo.status, 401);
    }
  });

  test('neither side learns who ended it or declined', async () => {
    const bench = await begin();
    await createToken(bench, '*');
    await remove(bench);
    const own = await server.call('GET', '/user/logs/audit?since=2020-01-01&before=2100-01-01', {
      token: null,
      headers: bench.session,
    });
    const { userId: chiefId, email: chiefEmail } = await firstPerson(server);
    assert.match(own.text, /"membership"/);
    assert.ok(!own.text.includes(chiefId) && !own.text.includes(chiefEmail), own.text);

    for (const [method, body] of [
      ['PUT', { status: 'rejected' }],
      ['DELETE', undefined],
    ] as const) {
      const stranger = await createPerson(server, { email: `Stranger-${method}@Example.com` });
      const email = stranger.email.toLowerCase();
      const roles = [findRoleBySlug('member')?.id ?? ''];
      const path = `/accounts/${bench.first}/members`;
      const { id } = (await server.call('POST', path, { body: { email, roles } })).json.result;
      const headers = await signInAs(server, stranger.userId, clock);
      const declined = await server.call(method, `/memberships/${id}`, {
        token: null,
        headers,
        ...(body && { body }),
      });
      assert.equal(declined.status, 200, declined.text);
      const range = 'since=2020-01-01&before=2100-01-01&limit=5';
      const log = await server.call('GET', `/accounts/${bench.first}/logs/audit?${range}`);
      assert.match(log.text, /Rejected an invitation/);
      assert.ok(!log.text.includes(stranger.userId) && !log.text.includes(stranger.email));
    }
  });

  test('whatever the policies are, nothing in the account is left, and nothing else is lost', async () => {
    const bench = await begin();
    const { first, second, userId } = bench;
    const slugs = ['tags.read', 'tags.write', 'members.read', 'ai-gateway.run'] as const;
    const resource = fc.oneof(
      fc.record({ accountId: fc.constantFrom(first, second, '*') }),
      fc.record({ accountId: fc.constantFrom(first, second, '*'), gatewayId: fc.constant('main') }),
      fc.constant({ userId }),
    );
    const policy = fc.record({
      id: fc.constant('0'.repeat(32)),
      effect: fc.constantFrom('allow' as const, 'deny' as const),
      permissions: fc.uniqueArray(fc.constantFrom(...slugs), { minLength: 1 }),
      resources: fc.array(resource, { minLength: 1, maxLength: 4 }),
    });
    const ask = async (token: string): Promise<number[]> => {
      const reads = [`/accounts/${first}/tags/keys`, `/accounts/${first}/members`];
      const others = [`/accounts/${second}/tags/keys`, `/accounts/${second}/members`];
      const found: number[] = [];
      for (const path of [...reads, ...others]) {
        found.push((await server.call('GET', path, { token })).status);
      }
      return found;
    };
    let { memberId } = bench;
    await fc.assert(
      fc.asyncProperty(fc.array(policy, { minLength: 1, maxLength: 3 }), async (policies) => {
        const token = await createToken(bench, '*');
        await server.app.database.transaction(async (tx) => {
          await tx
            .updateTable('api_tokens')
            .set({ policies: JSON.stringify(policies satisfies StoredPolicy[]) })
            .where('user_id', '=', userId)
            .execute();
        });
        const earlier = await ask(token);
        await remove({ ...bench, memberId });
        memberId = await addMember(server, userId, first, ['administrator']);
        const later = await ask(token);
        assert.ok(!later.slice(0, 2).includes(200), JSON.stringify(policies));
        if (!later.includes(401)) assert.deepEqual(later.slice(2), earlier.slice(2));
        else assert.ok(!earlier.slice(2).includes(200), JSON.stringify(policies));
        await server.app.database.transaction(async (tx) => {
          await tx.deleteFrom('api_tokens').where('user_id', '=', userId).execute();
        });
      }),
      { numRuns: 25 },
    );
  });
});
