import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RequestIpCondition } from '../../src/iam/request-ip.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();

  function create(fields: Record<string, unknown>, token = server.token): Promise<Answer> {
    const policies = [allowPolicy(server.accountId, ['api-tokens.write'])];
    const body = { name: 'any', policies, ...fields };
    return server.call('POST', `${server.account}/tokens`, { token, body });
  }

  async function valueOf(fields: Record<string, unknown>): Promise<string> {
    const created = await create(fields);
    assert.equal(created.status, 200, created.text);
    return created.json.result.value;
  }

  test('a token that ends makes none that ends later, or never: 3012', async () => {
    const creator = await valueOf({ expires_on: inHours(2) });
    for (const fields of [{}, { expires_on: inHours(2.001) }]) {
      const answer = await create(fields, creator);
      assert.deepEqual([answer.status, answer.code], [403, 3012]);
      assert.deepEqual(answer.json.errors[0].source, { pointer: '/expires_on' });
      assert.ok(answer.json.errors[0].message.endsWith(inHours(2)), answer.text);
    }
    for (const fields of [
      { expires_on: inHours(2) },
      { expires_on: inHours(1), not_before: inHours(0.5) },
      { expires_on: inHours(1), not_before: inHours(-5) },
    ]) {
      assert.equal((await create(fields, creator)).status, 200);
    }
  });

  test('a token of certain addresses makes none for others: 3012', async () => {
    const outer = { in: ['127.0.0.0/8', '2001:db8::/32'], not_in: ['127.6.0.0/16'] };
    const creator = await valueOf({ condition: { request_ip: outer } });
    const make = (request_ip?: RequestIpCondition) =>
      create(request_ip === undefined ? {} : { condition: { request_ip } }, creator);
    const not_in = outer.not_in;
    for (const condition of [
      undefined,
      {},
      { not_in },
      { in: ['127.0.0.1'] },
      { in: ['0.0.0.0/0'], not_in },
      { in: ['127.0.0.0/7'], not_in },
      { in: ['127.0.0.1', '10.0.0.1'], not_in },
      { in: ['2001:db8::/31'], not_in },
      { in: ['::/0'], not_in },
      { in: ['127.0.0.1'], not_in: ['127.6.0.0/17', '127.6.128.0/17'] },
    ]) {
      const answer = await make(condition);
      assert.deepEqual([answer.status, answer.code], [403, 3012], JSON.stringify(condition));
      assert.deepEqual(answer.json.errors[0].source, { pointer: '/condition/request_ip' });
    }
    for (const condition of [
      outer,
      { in: ['127.0.0.1'], not_in },
      { in: ['::ffff:127.0.0.1', '2001:db8:1::/48'], not_in: ['127.0.0.0/8'] },
      { in: outer.in.toReversed(), not_in: ['10.0.0.0/8', '127.6.0.0/16'] },
    ]) {
      const answer = await make(condition);
      assert.equal(answer.status, 200, answer.text);
    }
  });

  test('exceptions alone are handed on too', async () => {
    const creator = await valueOf({ condition: { request_ip: { not_in: ['10.0.0.0/8'] } } });
    const make = (request_ip: RequestIpCondition) => create({ condition: { request_ip } }, creator);
    assert.equal((await make({ not_in: ['10.0.0.0/9'] })).code, 3012);
    assert.equal((await make({ in: ['127.0.0.1'] })).code, 3012);
    assert.equal((await make({ not_in: ['10.0.0.0/8', '::1'] })).status, 200);
  });
});
