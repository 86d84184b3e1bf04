import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { REDACTED } from '../../src/iam/audit/audit-view.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { clientBody, createClient, patch } from '../oauth/client-bodies.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const rowsOf = (chainId = server.accountId): Promise<AuditRow[]> =>
    readAuditRows(server.app.database, chainId);

  const tokenBody = (name: string) => ({
    name,
    policies: [allowPolicy(server.accountId, ['tags.read'])],
  });

  /** The rows that something adds to a log. */
  async function addedBy(
    work: () => Promise<unknown>,
    chainId = server.accountId,
  ): Promise<AuditRow[]> {
    const before = (await rowsOf(chainId)).length;
    await work();
    return (await rowsOf(chainId)).slice(before);
  }

  /** The one row of a change, which must tell of the request as it was. */
  async function rowOf(
    work: () => Promise<Answer>,
    chainId = server.accountId,
  ): Promise<{ row: AuditRow; answer: Answer }> {
    const answers: Answer[] = [];
    const [row, ...more] = await addedBy(async () => answers.push(await work()), chainId);
    const [made] = answers;
    assert.ok(made !== undefined);
    assert.ok(made.status < 300, made.text);
    assert.ok(row !== undefined);
    assert.deepEqual(more, []);
    assert.equal(row.action_result, 'success');
    assert.equal(row.request_id, made.headers.get('x-request-id'));
    assert.equal(row.request_status_code, made.status);
    assert.equal(row.created_at, clock.now());
    return { row, answer: made };
  }

  const summary = (row: AuditRow): string =>
    [
      row.request_method,
      row.action_type,
      row.resource_type,
      row.resource_product,
      row.resource_scope,
      row.action_description,
    ].join(' | ');

  test('the first start', async () => {
    const [row] = await rowsOf();
    assert.ok(row !== undefined);
    const { hash, id, account_name: name, ...rest } = row;
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.ok(name);
    assert.deepEqual(
      { ...rest },
      {
        chain_id: server.accountId,
        seq: 1,
        created_at: clock.now(),
        action_type: 'create',
        action_result: 'success',
        action_description: 'Set up the server',
        actor_type: 'system',
        actor_id: null,
        actor_email: null,
        actor_ip_address: null,
        actor_token_id: null,
        actor_token_name: null,
        actor_context: 'system',
        resource_type: 'account',
        resource_id: server.accountId,
        resource_product: 'accounts',
        resource_scope: 'accounts',
        resource_request: null,
        resource_response: null,
        request_id: null,
        request_method: null,
        request_uri: null,
        request_status_code: null,
        request_user_agent: null,
      },
    );
  });

  describe('each change is one row', () => {
    test('tokens of an account', async () => {
      const created = await rowOf(() => server.call('POST', tokens, { body: tokenBody('new') }));
      const { id, value } = created.answer.json.result;
      assert.equal(
        summary(created.row),
        'POST | create | api_token | api_tokens | accounts | Created an API token',
      );
      const path = `${tokens}/${id}`;
      const updated = await rowOf(() => server.call('PUT', path, { body: tokenBody('newer') }));
      assert.equal(
        summary(updated.row),
        'PUT | update | api_token | api_tokens | accounts | Changed an API token',
      );
      assert.deepEqual(JSON.parse(updated.row.resource_request ?? ''), tokenBody('newer'));
      const disabled = await rowOf(() =>
        server.call('PUT', path, { body: { ...tokenBody('newer'), status: 'disabled' } }),
      );
      assert.equal(disabled.row.action_description, 'Disabled an API token');
      const enabled = await rowOf(() =>
        server.call('PUT', path, { body: { ...tokenBody('newer'), status: 'active' } }),
      );
      assert.equal(enabled.row.action_description, 'Enabled an API token');
      const rolled = await rowOf(() => server.call('PUT', `${path}/value`, { body: {} }));
      assert.equal(
        summary(rolled.row),
        'PUT | roll | api_token | api_tokens | accounts | Rolled an API token',
      );
      assert.deepEqual([rolled.row.resource_request, rolled.row.resource_response], [null, null]);
      const deleted = await rowOf(() => server.call('DELETE', path));
      assert.equal(
        summary(deleted.row),
        'DELETE | delete | api_token | api_tokens | accounts | Deleted an API token',
      );
      // What is gone is told of by its name.
      assert.deepEqual(JSON.parse(deleted.row.resource_request ?? ''), { name: 'newer' });
      const text = JSON.stringify(await rowsOf());
      for (const secret of [value, rolled.answer.json.result]) {
        assert.equal(text.includes(secret.slice(5, 25)), false);
      }
      for (const { row } of [created, updated, disabled, enabled, rolled, deleted]) {
        assert.equal(row.resource_id, id);
        assert.equal(row.request_uri?.startsWith(`/client/v4${tokens}`), true);
      }
    });

    test('OAuth clients', async () => {
      const created = await rowOf(() =>
        server.call('POST', `${server.account}/oauth_clients`, { body: clientBody() }),
      );
      const { client_id: id, client_secret: secret } = created.answer.json.result;
      assert.match(summary(created.row), /^POST \| create \| oauth_client \| oauth_clients \|/);
      const response = JSON.parse(created.row.resource_response ?? '');
      assert.deepEqual(
        [response.client_id, response.client_name, response.client_secret],
        [id, 'Example', REDACTED],
      );
      const updated = await rowOf(() => patch(server, id, { client_name: 'Other' }));
      assert.match(summary(updated.row), /^PATCH \| update \| oauth_client \| oauth_clients \|/);
      const deleted = await rowOf(() =>
        server.call('DELETE', `${server.account}/oauth_clients/${id}`),
      );
      assert.match(summary(deleted.row), /^DELETE \| delete \| oauth_client \| oauth_clients \|/);
      for (const { row } of [created, updated, deleted]) assert.equal(row.resource_id, id);
      assert.equal(JSON.stringify(await rowsOf()).includes(secret.slice(-30)), false);
    });

    test('gateways, also the one that appears by itself', async () => {
      const created = await rowOf(() =>
        server.call('POST', `${server.account}/ai-gateway/gateways`, { body: gatewayBody('one') }),
      );
      assert.equal(
        summary(created.row),
        'POST | create | ai_gateway | ai_gateway | accounts | Created a gateway',
      );
      assert.equal(created.row.resource_id, 'one');
      const use = () =>
        server.call('POST', `${server.account}/ai/v1/chat/completions`, {
          body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
        });
      const [appeared, ...more] = await addedBy(async () => {
        await Promise.all([use(), use(), use()]);
      });
      assert.deepEqual(more, []);
      assert.deepEqual(
        [appeared?.action_type, appeared?.resource_id, appeared?.actor_type],
        ['create', 'default', 'system'],
      );
      assert.deepEqual(await addedBy(use), []);
    });

    test('tags', async () => {
      const resource = { resource_type: 'zone', resource_id: 'z1' };
      const set = await rowOf(() =>
        server.call('PUT', `${server.account}/tags`, { body: { ...resource, tags: { a: 'b' } } }),
      );
      assert.equal(
        summary(set.row),
        'PUT | update | zone | tags | accounts | Set the tags of a resource',
      );
      assert.deepEqual(JSON.parse(set.row.resource_request ?? ''), {
        ...resource,
        tags: { a: 'b' },
      });
      assert.equal(set.row.resource_id, 'z1');
      const removed = await rowOf(() =>
        server.call('DELETE', `${server.account}/tags`, { body: resource }),
      );
      assert.match(summary(removed.row), /^DELETE \| delete \| zone \| tags \|/);
      assert.equal(removed.row.request_status_code, 204);
      assert.equal(removed.row.resource_response, null);
    });

    test('tokens of a person, in the log of the person', async () => {
      const person = await createPerson(server, { accountId: server.accountId });
      const headers = await signInAs(server, person.userId, clock);
      const call = (method: string, path: string, body?: unknown) => () =>
        server.call(method, path, {
          token: null,
          headers,
          ...(body === undefined ? {} : { body }),
        });
      const accountRows = (await rowsOf()).length;
      const policy = {
        ...allowPolicy('', ['tags.read']),
        resources: { 'com.latchkey.api.account.*': '*' },
      };
      const body = { name: 'mine', policies: [policy] };
      const created = await rowOf(call('POST', '/user/tokens', body), person.userId);
      const { id } = created.answer.json.result;
      const path = `/user/tokens/${id}`;
      const updated = await rowOf(call('PUT', path, body), person.userId);
      const rolled = await rowOf(call('PUT', `${path}/value`, {}), person.userId);
      const deleted = await rowOf(call('DELETE', path), person.userId);
      const all = [created, updated, rolled, deleted];
      assert.deepEqual(
        all.map(({ row }) => row.action_type),
        ['create', 'update', 'roll', 'delete'],
      );
      for (const { row } of all) {
        assert.deepEqual(
          [row.resource_scope, row.account_name, row.resource_id],
          ['user', null, id],
        );
        assert.deepEqual(
          [row.actor_type, row.actor_context, row.actor_id, row.actor_email, row.actor_token_id],
          ['user', 'dash', person.userId, person.email, null],
        );
      }
      assert.equal((await rowsOf()).length, accountRows);
    });
  });

  describe('who did it', () => {
    let session: SessionHeaders;
    let person: Awaited<ReturnType<typeof createPerson>>;
    before(async () => {
      person = await createPerson(server, {
        accountId: server.accountId,
        roles: ['administrator'],
      });
      session = await signInAs(server, person.userId, clock);
    });

    const make = (options: object) => () =>
      server.call('POST', tokens, { body: tokenBody('any'), ...options });

    test('a token of the account', async () => {
      const { id, value } = await server.createToken(['api-tokens.write', 'tags.read']);
      const { row } = await rowOf(make({ token: value }));
      assert.deepEqual(
        [row.actor_type, row.actor_context, row.actor_id, row.actor_email, row.actor_ip_address],
        ['account_token', 'api_token', id, null, '127.0.0.1'],
      );
      assert.deepEqual([row.actor_token_id, row.actor_token_name], [id, 'test']);
    });

    test('a token of a person', async () => {
      const { id, value } = await createUserToken(server, session, [
        'api-tokens.write',
        'tags.read',
      ]);
      const { row } = await rowOf(make({ token: value }));
      assert.deepEqual(
        [row.actor_type, row.actor_context, row.actor_id, row.actor_email],
        ['user_token', 'api_token', person.userId, person.email],
      );
      assert.deepEqual([row.actor_token_id, row.actor_token_name], [id, 'test']);
    });

    test('a person who is signed in', async () => {
      const { row } = await rowOf(make({ token: null, headers: session }));
      assert.deepEqual(
        [row.actor_type, row.actor_context, row.actor_id, row.actor_email],
        ['user', 'dash', person.userId, person.email],
      );
      assert.deepEqual([row.actor_token_id, row.actor_token_name], [null, null]);
    });

    for (const [sent, kept] of [
      ['latchkey-test/1.0 (x; y)', 'latchkey-test/1.0 (x; y)'],
      ['schön\u00ff', 'sch?n?'],
      ['x'.repeat(256), 'x'.repeat(256)],
      ['x'.repeat(257), 'x'.repeat(256)],
    ] as const) {
      test(`the user agent ${sent.slice(0, 20)}, ${sent.length} long`, async () => {
        const { row } = await rowOf(make({ headers: { 'user-agent': sent } }));
        assert.equal(row.request_user_agent, kept);
      });
    }
  });

  describe('what writes no row', () => {
    test('a look', async () => {
      const added = await addedBy(async () => {
        await server.call('GET', tokens);
        await server.call('GET', `${tokens}/verify`);
        await server.call('GET', `${server.account}/oauth_clients`);
      });
      assert.deepEqual(added, []);
    });

    test('a change that changes nothing', async () => {
      const { client_id: id } = await createClient(server);
      const resource = { resource_type: 'zone', resource_id: 'never tagged' };
      const added = await addedBy(async () => {
        const same = await patch(server, id, { client_name: 'Example' });
        assert.equal(same.status, 200, same.text);
        const none = await server.call('DELETE', `${server.account}/tags`, { body: resource });
        assert.equal(none.status, 204);
      });
      assert.deepEqual(added, []);
    });

    test('a request that is at fault', async () => {
      const added = await addedBy(async () => {
        for (const [method, path, body, status] of [
          ['POST', tokens, { name: '' }, 400],
          ['POST', tokens, '{', 400],
          ['DELETE', `${tokens}/missing`, undefined, 404],
          ['PUT', `${tokens}/missing/value`, {}, 404],
          ['POST', `${server.account}/ai-gateway/gateways`, gatewayBody('BAD'), 400],
          ['PATCH', tokens, {}, 405],
        ] as const) {
          const sent = body === undefined ? {} : { body };
          assert.equal((await server.call(method, path, sent)).status, status, `${method} ${path}`);
        }
        const nobody = await server.call('POST', tokens, { token: null, body: {} });
        assert.equal(nobody.status, 401);
      });
      assert.deepEqual(added, []);
    });
  });

  test('a long body is told of in a shorter form, with nothing granted left out', async () => {
    const { policies } = tokenBody('x');
    const body = { name: 'long', policies: Array(50).fill(policies[0]) };
    const many = {
      ...body,
      policies: body.policies.map((one) => ({ ...one, id: 'x'.repeat(300) })),
    };
    const { row } = await rowOf(() => server.call('POST', tokens, { body: many }));
    const { _shortened, ...kept } = JSON.parse(row.resource_request ?? '');
    assert.equal(_shortened.characters, JSON.stringify(many).length);
    assert.equal(kept.policies.length, 50);
    for (const one of kept.policies) {
      assert.match(one.id, /^x+… \(300 characters\)$/);
      delete one.id;
    }
    assert.deepEqual(kept, body);
  });
});
