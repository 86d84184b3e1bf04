import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PermissionSlug } from '../../src/iam/permissions.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createUserToken } from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { EVERY_ACCOUNT, type Newcomer, newAccount, newcomer, policy } from './newcomers.ts';

const HOUR_MS = 3_600_000;

/** Nobody makes a token that holds more than they hold. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();

  const body = (policies: unknown[]) => ({ name: 'x', policies });

  const make = (person: Newcomer, policies: unknown[]): Promise<Answer> =>
    person.call('POST', '/user/tokens', { body: body(policies) });

  const makeWith = (token: string, policies: unknown[]): Promise<Answer> =>
    server.call('POST', '/user/tokens', { token, body: body(policies) });

  test('a person: for one account, what the roles there allow', async () => {
    const jane = await newcomer(server, clock, 'tag-admin');
    const here = `com.latchkey.api.account.${server.accountId}`;
    for (const [slugs, status] of [
      [['tags.write'], 200],
      [['tags.read', 'account-settings.read'], 200],
      [['api-tokens.read'], 403],
      [['tags.write', 'ai-gateway.run'], 403],
    ] as const) {
      const answer = await make(jane, [policy(here, [...slugs])]);
      assert.equal(answer.status, status, answer.text);
      if (status === 403) assert.equal(answer.code, 3012);
    }
    const foreign = await make(jane, [
      policy(`com.latchkey.api.account.${createId()}`, ['tags.read']),
    ]);
    assert.deepEqual([foreign.status, foreign.code], [403, 3012]);
    // It follows the person: what the roles do not allow it cannot do.
    assert.equal((await make(jane, [policy(EVERY_ACCOUNT, ['api-tokens.write'])])).status, 200);
  });

  test('a token of a person stays within its own policies', async () => {
    const jane = await newcomer(server, clock, 'administrator');
    const held: PermissionSlug[] = ['api-tokens.write', 'tags.read'];
    const { value } = await createUserToken(server, jane.session, held);
    const other = await newAccount(server, jane.userId, 'administrator');
    const here = `com.latchkey.api.account.${server.accountId}`;
    for (const [resource, slugs, status] of [
      [EVERY_ACCOUNT, ['tags.read'], 200],
      [here, ['tags.read', 'api-tokens.write'], 200],
      [`com.latchkey.api.account.${other}`, ['api-tokens.read'], 200],
      [EVERY_ACCOUNT, ['tags.write'], 403],
      [here, ['tags.write'], 403],
      [`${here}.ai-gateway.one`, ['ai-gateway.run'], 403],
      [`com.latchkey.api.user.${jane.userId}`, ['user-details.read'], 403],
    ] as const) {
      const answer = await makeWith(value, [policy(resource, [...slugs])]);
      assert.equal(answer.status, status, `${resource} ${slugs.join(' ')}: ${answer.text}`);
      if (status === 403) assert.equal(answer.code, 3012);
    }
  });

  test('what is denied to a token it cannot hand on, by whatever name', async () => {
    const jane = await newcomer(server, clock, 'administrator');
    const here = `com.latchkey.api.account.${server.accountId}`;
    const parent = await make(jane, [
      policy(EVERY_ACCOUNT, ['api-tokens.write', 'ai-gateway.run', 'tags.read']),
      policy(`${EVERY_ACCOUNT}.ai-gateway.one`, ['ai-gateway.run'], 'deny'),
      policy(here, ['tags.read'], 'deny'),
    ]);
    const { value: token } = parent.json.result;
    for (const [resource, slug, status] of [
      [EVERY_ACCOUNT, 'ai-gateway.run', 403],
      [here, 'ai-gateway.run', 403],
      [`${here}.ai-gateway.one`, 'ai-gateway.run', 403],
      [`${here}.ai-gateway.two`, 'ai-gateway.run', 200],
      [EVERY_ACCOUNT, 'tags.read', 403],
      [`${EVERY_ACCOUNT}.ai-gateway.two`, 'tags.read', 403],
      [`${here}.ai-gateway.two`, 'tags.read', 403],
    ] as const) {
      const answer = await makeWith(token, [policy(resource, [slug])]);
      assert.equal(answer.status, status, `${resource} ${slug}`);
    }
    const account = await server.call('POST', `${server.account}/tokens`, {
      token,
      body: { name: 'x', policies: [allowPolicy(server.accountId, ['ai-gateway.run'])] },
    });
    assert.deepEqual([account.status, account.code], [403, 3012]);
  });

  test('nor for longer, nor from elsewhere', async () => {
    const jane = await newcomer(server, clock, 'administrator');
    const body = {
      name: 'x',
      policies: [policy(EVERY_ACCOUNT, ['api-tokens.write'])],
      expires_on: inHours(1),
      condition: { request_ip: { in: ['127.0.0.1'] } },
    };
    const { value: token } = (await jane.call('POST', '/user/tokens', { body })).json.result;
    for (const [fields, status] of [
      [{ expires_on: inHours(2) }, 403],
      [{ condition: { request_ip: { in: ['0.0.0.0/0'] } } }, 403],
      [{}, 200],
    ] as const) {
      const answer = await server.call('POST', '/user/tokens', {
        token,
        body: { ...body, ...fields },
      });
      assert.equal(answer.status, status);
    }
  });

  test('roll and update: within what the caller holds', async () => {
    const jane = await newcomer(server, clock, 'administrator');
    const strong = await createUserToken(server, jane.session, ['tags.write', 'api-tokens.write']);
    const weak = await createUserToken(server, jane.session, ['api-tokens.write']);
    const path = `/user/tokens/${strong.id}`;
    const rolled = await server.call('PUT', `${path}/value`, { token: weak.value, body: {} });
    assert.deepEqual([rolled.status, rolled.code], [403, 3012]);
    const same = [policy(EVERY_ACCOUNT, ['tags.write', 'api-tokens.write'])];
    const renamed = await server.call('PUT', path, {
      token: weak.value,
      body: { name: 'y', policies: same },
    });
    assert.deepEqual([renamed.status, renamed.code], [403, 3012]);
    const disabled = await server.call('PUT', path, {
      token: weak.value,
      body: { name: 'y', policies: same, status: 'disabled' },
    });
    assert.equal(disabled.status, 200, disabled.text);
  });

  test('a token without api-tokens.write makes none: 403', async () => {
    const jane = await newcomer(server, clock, 'administrator');
    const { value } = await createUserToken(server, jane.session, ['api-tokens.read', 'tags.read']);
    const answer = await makeWith(value, [policy(EVERY_ACCOUNT, ['tags.read'])]);
    assert.deepEqual([answer.status, answer.code], [403, 10_000]);
    assert.match(answer.text, /api-tokens\.write/);
  });
});
