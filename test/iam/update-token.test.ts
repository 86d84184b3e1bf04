import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';
import { insertTokenRows } from '../support/token-rows.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const policiesOf = (...slugs: string[]) => [allowPolicy(server.accountId, slugs)];
  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();

  async function create(fields: Record<string, unknown> = {}): Promise<Json> {
    const body = { name: 'before', policies: policiesOf('api-tokens.read'), ...fields };
    const { json, text, status } = await server.call('POST', tokens, { body });
    assert.equal(status, 200, text);
    return json.result;
  }

  function update(id: string, fields: Record<string, unknown>, token?: string): Promise<Answer> {
    const body = { name: 'after', policies: policiesOf('api-tokens.read'), ...fields };
    return server.call('PUT', `${tokens}/${id}`, {
      body,
      ...(token === undefined ? {} : { token }),
    });
  }

  const read = async (id: string): Promise<Json> =>
    (await server.call('GET', `${tokens}/${id}`)).json.result;

  const statusWith = async (value: string): Promise<number> =>
    (await server.call('GET', tokens, { token: value })).status;

  test('every field is replaced, and what is not sent is taken away', async () => {
    const { value, ...before } = await create({
      not_before: inHours(-1),
      expires_on: inHours(5),
      condition: { request_ip: { in: ['127.0.0.1'], not_in: ['10.0.0.0/8'] } },
    });
    clock.advance(1_000);
    const all = {
      name: 'Grüße 🎉',
      policies: [
        allowPolicy(server.accountId, ['api-tokens.read', 'ai-gateway.run'], undefined),
        { ...allowPolicy(server.accountId, ['ai-gateway.run'], 'one'), effect: 'deny' },
      ],
      not_before: inHours(-2),
      expires_on: inHours(6),
      condition: { request_ip: { in: ['127.0.0.0/8'] } },
    };
    const changed = await update(before.id, all);
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.text.includes('"value"'), false);
    const { policies, ...token } = changed.json.result;
    assert.deepEqual(token, {
      id: before.id,
      name: all.name,
      status: 'active',
      issued_on: before.issued_on,
      modified_on: new Date(clock.now()).toISOString(),
      not_before: all.not_before,
      expires_on: all.expires_on,
      condition: all.condition,
    });
    assert.deepEqual(
      policies.map(({ effect, resources }: Json) => [effect, Object.keys(resources)[0]]),
      all.policies.map(({ effect, resources }) => [effect, Object.keys(resources)[0]]),
    );
    assert.deepEqual(await read(before.id), changed.json.result);
    const bare = await update(before.id, {});
    assert.deepEqual(Object.keys(bare.json.result).toSorted(), [
      'id',
      'issued_on',
      'modified_on',
      'name',
      'policies',
      'status',
    ]);
    assert.equal(await statusWith(value), 200);
  });

  test('what was read can be sent back', async () => {
    const { value, ...token } = await create({ expires_on: inHours(5) });
    const { id, issued_on: _issued, modified_on: _modified, ...fields } = token;
    const { json, text } = await update(id, fields);
    assert.equal(json.success, true, text);
    assert.equal(json.result.expires_on, token.expires_on);
    assert.equal(await statusWith(value), 200);
  });

  test('new policies, addresses and times count at once', async () => {
    const { id, value } = await create();
    assert.equal(await statusWith(value), 200);
    await update(id, { policies: policiesOf('tags.read') });
    assert.equal(await statusWith(value), 403);
    await update(id, { condition: { request_ip: { not_in: ['127.0.0.1'] } } });
    assert.equal(await statusWith(value), 403);
    await update(id, { not_before: inHours(1) });
    assert.equal(await statusWith(value), 401);
    await update(id, { expires_on: inHours(1) });
    assert.equal(await statusWith(value), 200);
    clock.advance(HOUR_MS);
    assert.equal(await statusWith(value), 401);
    await update(id, {});
    assert.equal(await statusWith(value), 200);
  });

  test('disabled and enabled, both at once; without status it stays as it is', async () => {
    const { id, value } = await create();
    assert.equal((await update(id, { status: 'disabled' })).json.result.status, 'disabled');
    assert.equal(await statusWith(value), 401);
    assert.equal((await update(id, { name: 'other' })).json.result.status, 'disabled');
    assert.equal((await update(id, { status: 'expired' })).json.result.status, 'disabled');
    assert.equal(await statusWith(value), 401);
    assert.equal((await update(id, { status: 'active' })).json.result.status, 'active');
    assert.equal(await statusWith(value), 200);
    assert.equal((await update(id, { status: 'expired' })).json.result.status, 'active');
  });

  test('an expired token gets a new end, and none that is past', async () => {
    const { id, value } = await create({ expires_on: inHours(1) });
    clock.advance(2 * HOUR_MS);
    assert.equal((await read(id)).status, 'expired');
    const past = await update(id, { expires_on: inHours(-0.5), status: 'expired' });
    assert.deepEqual([past.status, past.code], [400, 3013]);
    // The end that it has.
    const kept = await update(id, { expires_on: inHours(-1), status: 'expired' });
    assert.equal(kept.json.result.status, 'expired', kept.text);
    assert.equal(await statusWith(value), 401);
    const renewed = await update(id, { expires_on: inHours(1), status: 'expired' });
    assert.equal(renewed.json.result.status, 'active');
    assert.equal(await statusWith(value), 200);
  });

  test('what is wrong in it: as at creation, and the token stays as it was', async () => {
    const { id } = await create();
    const stored = await read(id);
    const group = { effect: 'allow', permission_groups: [{ id: createId() }] };
    for (const [fields, code] of [
      [{ name: '' }, 3001],
      [{ name: 'x'.repeat(121) }, 3001],
      [{ policies: [] }, 3001],
      [{ status: 'gone' }, 3001],
      [{ status: 7 }, 3001],
      [{ value: 'lkat_x' }, 3002],
      [{ policies: [{ ...policiesOf('tags.read')[0], ...group }] }, 3010],
      [{ policies: [allowPolicy(createId(), ['tags.read'])] }, 3011],
      [{ expires_on: inHours(0) }, 3013],
      [{ expires_on: 'soon' }, 3001],
    ] as const) {
      const answer = await update(id, fields);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(fields));
    }
    const nothing = await server.call('PUT', `${tokens}/${id}`);
    assert.deepEqual([nothing.status, nothing.code], [400, 6007]);
    assert.deepEqual(await read(id), stored);
  });

  test('404: no such token, another account, no id', async () => {
    const foreign = createId();
    await server.app.database.transaction(async (tx) => {
      const account = { id: createId(), name: 'Other', created_at: 1 };
      await tx.insertInto('accounts').values(account).execute();
      await insertTokenRows(tx, account.id, [foreign]);
    });
    for (const id of [createId(), foreign, 'x', '%F0%9F%8E%89']) {
      const answer = await update(id, {});
      assert.deepEqual([answer.status, answer.code], [404, 7003], id);
    }
  });

  test('without api-tokens.write: 403', async () => {
    const { id } = await create();
    const { value } = await server.createToken(['api-tokens.read']);
    const answer = await update(id, {}, value);
    assert.deepEqual([answer.status, answer.code], [403, 10_000]);
    assert.match(answer.text, /api-tokens\.write/);
  });

  describe('an editor who holds less', () => {
    let editor: string;
    before(async () => {
      ({ value: editor } = await server.createToken(['api-tokens.write', 'tags.read']));
    });
    let strong: { id: string; value: string };
    beforeEach(async () => {
      strong = await create({ policies: policiesOf('ai-gateway.run', 'api-tokens.read') });
    });

    const same = () => ({ policies: policiesOf('ai-gateway.run', 'api-tokens.read') });

    test('cannot leave the token more than they hold: 3012', async () => {
      for (const fields of [
        { ...same(), name: 'mine' },
        { ...same(), status: 'active' },
        { ...same(), condition: { request_ip: { in: ['127.0.0.1'] } } },
        { policies: policiesOf('tags.write') },
        { policies: policiesOf('ai-gateway.run'), status: 'disabled' },
      ]) {
        const answer = await update(strong.id, fields, editor);
        assert.deepEqual([answer.status, answer.code], [403, 3012], JSON.stringify(fields));
      }
      assert.equal((await read(strong.id)).name, 'before');
    });

    test('can take away what they do not hold, and give what they hold', async () => {
      const answer = await update(strong.id, { policies: policiesOf('tags.read') }, editor);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await statusWith(strong.value), 403);
    });

    test('can disable it as it is, and not enable it again', async () => {
      const disabled = await update(strong.id, { ...same(), status: 'disabled' }, editor);
      assert.equal(disabled.status, 200, disabled.text);
      assert.equal(await statusWith(strong.value), 401);
      const enabled = await update(strong.id, { ...same(), status: 'active' }, editor);
      assert.deepEqual([enabled.status, enabled.code], [403, 3012]);
    });

    test('cannot let it last longer than themselves', async () => {
      const short = await create({
        policies: policiesOf('api-tokens.write'),
        expires_on: inHours(2),
      });
      const own = await create({ policies: policiesOf('api-tokens.read') });
      for (const [fields, status] of [
        [{}, 403],
        [{ expires_on: inHours(3) }, 403],
        [{ expires_on: inHours(2) }, 200],
      ] as const) {
        assert.equal((await update(own.id, fields, short.value)).status, status);
      }
    });

    test('can edit themselves, within what they hold', async () => {
      const self = await create({ policies: policiesOf('api-tokens.write', 'tags.read') });
      const wider = await update(self.id, { policies: policiesOf('tags.write') }, self.value);
      assert.deepEqual([wider.status, wider.code], [403, 3012]);
      const narrower = await update(
        self.id,
        { policies: policiesOf('api-tokens.read') },
        self.value,
      );
      assert.equal(narrower.status, 200);
      const back = await update(self.id, { policies: policiesOf('api-tokens.write') }, self.value);
      assert.deepEqual([back.status, back.code], [403, 10_000]);
    });
  });

  test('of 20 edits at once one wins whole', async () => {
    const { id } = await create();
    const slugs = ['tags.read', 'tags.write', 'ai-gateway.run', 'members.read'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        update(id, { name: `n${index % 4}`, policies: policiesOf(slugs[index % 4] ?? '') }),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    const { name, policies } = await read(id);
    const [group] = allowPolicy(server.accountId, [
      slugs[Number(name.slice(1))] ?? '',
    ]).permission_groups;
    assert.equal(policies[0].permission_groups[0].id, group?.id);
  });
});
