import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

describe('bodies with many values', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  function faultsOf({ status, json }: Answer): string[] {
    return json.errors.map(
      ({ code, source }: { code: number; source?: { pointer: string } }) =>
        `${status} ${code} ${source?.pointer}`,
    );
  }

  test('an ordinary one is told all of its faults, a large one the first', async () => {
    const post = (policies: number) =>
      server.call('POST', `${server.account}/tokens`, {
        body: { name: '', color: 'red', policies: Array.from({ length: policies }, () => ({})) },
      });
    assert.ok(faultsOf(await post(20)).length > 20);
    assert.equal(faultsOf(await post(600)).length, 1);
  });

  test('a list that is too long is refused before its items are looked at', async () => {
    const body = { name: 'x', policies: Array.from({ length: 600 }, () => ({})) };
    const answer = await server.call('POST', `${server.account}/tokens`, { body });
    assert.deepEqual(faultsOf(answer), ['400 3001 /policies']);
  });

  test('the faults that only the domain knows are not searched in a large one', async () => {
    const create = (count: number) =>
      server.call('POST', `${server.account}/oauth_clients`, {
        body: { redirect_uris: Array(count).fill('nowhere') },
      });
    assert.ok(faultsOf(await create(5)).length > 5);
    assert.equal(faultsOf(await create(1_100)).length, 1);
  });

  test('a large one without a fault is served', async () => {
    const [group] = allowPolicy(server.accountId, ['tags.read']).permission_groups;
    const policy = {
      ...allowPolicy(server.accountId, ['tags.read']),
      permission_groups: Array.from({ length: 6 }, () => ({ ...group, meta: Array(10).fill(0) })),
    };
    const policies = Array.from({ length: 50 }, () => policy);
    const answer = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'large', policies },
    });
    assert.equal(answer.status, 200, answer.text);
    // What its schema cannot tell is still found.
    const wrong = { ...policy, permission_groups: [{ id: createId() }] };
    const refused = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'large', policies: [...policies.slice(1), wrong] },
    });
    assert.equal(refused.code, 3010);
  });

  test('one that would take too long to read is not read, whatever its shape', async () => {
    for (const body of [
      `{"name":"x","policies":[${'{},'.repeat(340_000)}{}]}`,
      `{"name":"x","policies":[${'1,'.repeat(500_000)}1]}`,
      `{${Array.from({ length: 90_000 }, (_, i) => `"${i}":1,`).join('')}"x":1}`,
    ]) {
      const answer = await server.call('POST', `${server.account}/tokens`, { body });
      assert.deepEqual([answer.status, answer.code], [400, 6007]);
      assert.match(answer.json.errors[0].message, /more than 20000 values/);
    }
    const body = `{"name":"${'x'.repeat(1_000_000)}","policies":[]}`;
    assert.equal((await server.call('POST', `${server.account}/tokens`, { body })).code, 3001);
  });
});
