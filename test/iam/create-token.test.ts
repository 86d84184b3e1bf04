import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { digestSecret, isWellFormedSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const DAY_MS = 86_400_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  let resource: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
    resource = `com.latchkey.api.account.${server.accountId}`;
  });
  after(() => server.stop());

  function create(fields: Record<string, unknown> = {}, token = server.token): Promise<Answer> {
    const policies = [allowPolicy(server.accountId, ['tags.read'])];
    return server.call('POST', tokens, { token, body: { name: 'any', policies, ...fields } });
  }

  /** The code and place of every fault. */
  function faultsOf({ status, json }: Answer): string[] {
    return json.errors.map(
      ({ code, source }: { code: number; source?: { pointer: string } }) =>
        `${status} ${code} ${source?.pointer}`,
    );
  }

  test('the answer holds the value once, and the token works', async () => {
    const created = await server.call('POST', tokens, {
      body: { name: 'reader', policies: [allowPolicy(server.accountId, ['api-tokens.read'])] },
    });
    assert.equal(created.status, 200, created.text);
    const { id, value } = created.json.result;
    assert.match(value, /^lkat_[0-9A-Za-z]{46}$/);
    assert.equal(isWellFormedSecret(value, 'lkat_'), true);
    const got = await server.call('GET', `${tokens}/${id}`, { token: value });
    assert.equal(got.status, 200);
    const listed = await server.call('GET', `${tokens}?per_page=1000`, { token: value });
    for (const { text } of [got, listed]) {
      assert.equal(text.includes('"value"'), false);
      assert.equal(text.includes(value), false);
      assert.equal(text.includes(digestSecret(value)), false);
    }
  });

  test('shows the user who created a token of the account, and no other creator', async () => {
    const person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['super-administrator'],
    });
    const headers = await signInAs(server, person.userId);
    const body = { name: 'any', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    const options = { token: null, headers, body };
    const created = await server.call('POST', tokens, options);
    assert.equal(created.json.result.creator_email_at_creation, person.email);
    assert.equal(created.json.result.provisioner_type, undefined);
    const { id } = created.json.result;
    const got = await server.call('GET', `${tokens}/${id}`);
    assert.equal(got.json.result.creator_email_at_creation, person.email);
    const byToken = (await create()).json.result;
    const own = (await server.call('POST', '/user/tokens', options)).json.result;
    for (const token of [byToken, own]) assert.equal('creator_email_at_creation' in token, false);
  });

  test('every field comes back as it was sent', async () => {
    const gateway = allowPolicy(server.accountId, ['ai-gateway.run'], 'my-gateway_1');
    const deny = { ...allowPolicy(server.accountId, ['tags.write']), effect: 'deny' };
    const created = await create({
      name: 'Grüße 🎉 <b>',
      policies: [gateway, deny],
      not_before: '2026-01-02T03:04:05Z',
      expires_on: '2026-02-03T05:05:05.250+01:00',
      condition: { request_ip: { in: ['10.0.0.0/8', '2001:db8::/32'], not_in: ['10.1.2.3'] } },
    });
    assert.equal(created.status, 200, created.text);
    const { value, ...token } = created.json.result;
    assert.match(token.id, /^[0-9a-f]{32}$/);
    assert.deepEqual(token, {
      id: token.id,
      name: 'Grüße 🎉 <b>',
      status: 'active',
      issued_on: '2026-01-01T00:00:00.000Z',
      modified_on: '2026-01-01T00:00:00.000Z',
      not_before: '2026-01-02T03:04:05.000Z',
      expires_on: '2026-02-03T04:05:05.250Z',
      policies: [
        {
          id: token.policies[0].id,
          effect: 'allow',
          permission_groups: [{ id: gateway.permission_groups[0]?.id, name: 'AI Gateway Run' }],
          resources: { [`${resource}.ai-gateway.my-gateway_1`]: '*' },
        },
        {
          id: token.policies[1].id,
          effect: 'deny',
          permission_groups: [{ id: deny.permission_groups[0]?.id, name: 'Tags Write' }],
          resources: { [resource]: '*' },
        },
      ],
      condition: { request_ip: { in: ['10.0.0.0/8', '2001:db8::/32'], not_in: ['10.1.2.3'] } },
    });
    const got = await server.call('GET', `${tokens}/${token.id}`);
    assert.deepEqual(got.json.result, token);
    assert.ok(value);
  });

  test('the older spelling of the condition and foreign resource prefixes are accepted', async () => {
    const policy = allowPolicy(server.accountId, ['tags.read']);
    const resources = { [`com.example.api.account.${server.accountId}`]: '*' };
    const created = await create({
      policies: [{ ...policy, id: createId(), resources }],
      condition: { 'request.ip': { in: ['::1'] } },
    });
    assert.equal(created.status, 200, created.text);
    assert.deepEqual(created.json.result.condition, { request_ip: { in: ['::1'] } });
    assert.deepEqual(created.json.result.policies[0].resources, resources);
  });

  test('what the schema refuses: 3001 and 3002, all at once, each with its place', async () => {
    const answer = await create({
      name: '',
      policies: [
        { effect: 'maybe', permission_groups: [], resources: { [resource]: 'all' }, extra: 1 },
        { effect: 'allow' },
      ],
      expires_on: 5,
      condition: { request_ip: { in: '10.0.0.1', from: [] } },
      color: 'red',
      'a/b~c': 1,
    });
    assert.deepEqual(faultsOf(answer).sort(), [
      '400 3001 /condition/request_ip/in',
      '400 3001 /expires_on',
      '400 3001 /name',
      '400 3001 /policies/0/effect',
      '400 3001 /policies/0/permission_groups',
      `400 3001 /policies/0/resources/${resource}`,
      '400 3001 /policies/1/permission_groups',
      '400 3001 /policies/1/resources',
      '400 3002 /a~1b~0c',
      '400 3002 /color',
      '400 3002 /condition/request_ip/from',
      '400 3002 /policies/0/extra',
    ]);
    for (const { message } of answer.json.errors) {
      assert.match(message, /^(Invalid|Unknown) field: /);
    }
  });

  test('what only the meaning refuses: 3001, 3010, 3011 and 3013, all at once', async () => {
    const policy = allowPolicy(server.accountId, ['tags.read']);
    const unknownGroup = createId();
    const answer = await create({
      policies: [
        policy,
        {
          ...policy,
          permission_groups: [...policy.permission_groups, { id: unknownGroup }],
          resources: { [resource]: '*', [`com.latchkey.api.account.${createId()}`]: '*' },
        },
      ],
      not_before: 'tomorrow',
      expires_on: '2025-12-31T23:59:59Z',
      condition: { request_ip: { in: ['10.0.0.1', '10.0.0.0/33'], not_in: ['nowhere'] } },
    });
    assert.deepEqual(faultsOf(answer), [
      '400 3010 /policies/1/permission_groups/1/id',
      '400 3011 /policies/1/resources',
      '400 3001 /not_before',
      '400 3013 /expires_on',
      '400 3001 /condition/request_ip/in/1',
      '400 3001 /condition/request_ip/not_in/0',
    ]);
    assert.match(answer.json.errors[0].message, new RegExp(unknownGroup));
  });

  for (const name of [
    '*',
    'com.latchkey.api.account.*',
    'com.latchkey.api.account.',
    'com.latchkey.api.user.0123456789abcdef0123456789abcdef',
    'api.account.0123456789abcdef0123456789abcdef',
    '__proto__',
  ]) {
    test(`the resource "${name}" is refused: 3011`, async () => {
      const policy = allowPolicy(server.accountId, ['tags.read']);
      const body = JSON.stringify({
        name: 'x',
        policies: [{ ...policy, resources: { RESOURCE: '*' } }],
      }).replace('RESOURCE', name);
      assert.equal((await server.call('POST', tokens, { body })).code, 3011);
    });
  }

  test('resources of this account that name no gateway properly are refused: 3011', async () => {
    const policy = allowPolicy(server.accountId, ['tags.read']);
    for (const ending of ['.', '.ai-gateway', '.ai-gateway.', '.ai-gateway.A', '.zone.x', '*']) {
      const policies = [{ ...policy, resources: { [resource + ending]: '*' } }];
      assert.equal((await create({ policies })).code, 3011, ending);
    }
  });

  test('validity: expires_on must be in the future and after not_before', async () => {
    const at = (offsetMs: number) => new Date(clock.now() + offsetMs).toISOString();
    for (const [fields, code] of [
      [{ expires_on: at(0) }, 3013],
      [{ expires_on: at(1) }, undefined],
      [{ expires_on: at(DAY_MS), not_before: at(DAY_MS) }, 3013],
      [{ expires_on: at(DAY_MS + 1), not_before: at(DAY_MS) }, undefined],
      [{ expires_on: at(DAY_MS), not_before: at(-DAY_MS) }, undefined],
      [{ not_before: at(DAY_MS) }, undefined],
      [{ not_before: '2026-02-30T00:00:00Z' }, 3001],
      [{ expires_on: '2026-06-01' }, 3001],
      [{ expires_on: '2026-06-01T00:00:00' }, 3001],
    ] as const) {
      const answer = await create(fields);
      assert.equal(answer.code, code, JSON.stringify(fields));
    }
  });

  test('address ranges that people misread are refused', async () => {
    for (const range of [
      '010.0.0.1',
      '0x0a.0.0.1',
      '10.1',
      '167772161',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0.0/1e1',
      'fe80::1%eth0',
      '::/129',
      '',
      ' 10.0.0.1',
    ]) {
      const answer = await create({ condition: { request_ip: { not_in: [range] } } });
      assert.deepEqual(faultsOf(answer), ['400 3001 /condition/request_ip/not_in/0'], range);
    }
  });

  test('an empty list of addresses is no condition, and comes back', async () => {
    for (const list of ['in', 'not_in']) {
      const condition = { request_ip: { [list]: [] } };
      const answer = await create({ condition });
      assert.deepEqual(answer.json.result.condition, condition, answer.text);
      const { status } = await server.call('GET', `${server.account}/tokens/verify`, {
        token: answer.json.result.value,
      });
      assert.equal(status, 200);
    }
  });

  test('both spellings of the condition at once are refused', async () => {
    const answer = await create({
      condition: { request_ip: { in: ['10.0.0.1'] }, 'request.ip': { not_in: ['10.0.0.1'] } },
    });
    assert.deepEqual(faultsOf(answer), ['400 3001 /condition/request.ip']);
  });

  test('everything has a limit', async () => {
    const policy = allowPolicy(server.accountId, ['tags.read']);
    const ranges = (count: number) => Array.from({ length: count }, () => '10.0.0.1');
    assert.equal((await create({ policies: Array(49).fill(policy) })).status, 200);
    assert.equal((await create({ policies: Array(50).fill(policy) })).status, 200);
    assert.deepEqual(faultsOf(await create({ policies: Array(51).fill(policy) })), [
      '400 3001 /policies',
    ]);
    assert.equal((await create({ condition: { request_ip: { in: ranges(100) } } })).status, 200);
    assert.equal((await create({ condition: { request_ip: { in: ranges(101) } } })).code, 3001);
    assert.equal((await create({ name: 'x'.repeat(119) })).status, 200);
    assert.equal((await create({ name: 'x'.repeat(120) })).status, 200);
    assert.equal((await create({ name: 'x'.repeat(121) })).code, 3001);
  });

  test('the policies of one token have limits together: 3001', async () => {
    const { permission_groups: groups } = allowPolicy(server.accountId, ['tags.read']);
    /** Policies with so many resources and groups each. */
    const policiesOf = (...sizes: (readonly [resources: number, groups: number])[]) =>
      sizes.map(([resources, count], index) => ({
        effect: 'allow',
        permission_groups: Array.from({ length: count }, () => groups[0]),
        resources: Object.fromEntries(
          Array.from({ length: resources }, (_, i) => [
            `${resource}.ai-gateway.g${index}-${i}`,
            '*',
          ]),
        ),
      }));
    for (const [policies, fault] of [
      [policiesOf([100, 1], [99, 1]), undefined],
      [policiesOf([100, 1], [100, 1]), undefined],
      [policiesOf([100, 1], [100, 1], [1, 1]), 'resources'],
      [policiesOf([1, 100], [1, 100], [1, 99]), undefined],
      [policiesOf([1, 100], [1, 100], [1, 100]), undefined],
      [policiesOf([1, 100], [1, 100], [1, 100], [1, 1]), 'permission groups'],
      [policiesOf([99, 1]), undefined],
      [policiesOf([100, 1]), undefined],
      [policiesOf([101, 1]), '101'],
      [policiesOf([1, 99]), undefined],
      [policiesOf([1, 101]), '101'],
    ] as const) {
      const answer = await create({ policies });
      if (fault === undefined) {
        assert.equal(answer.status, 200, answer.text);
      } else if (fault === '101') {
        assert.equal(answer.code, 3001);
        assert.match(answer.json.errors[0].source.pointer, /^\/policies\/0\/./);
      } else {
        assert.deepEqual(faultsOf(answer), ['400 3001 /policies']);
        assert.ok(answer.json.errors[0].message.endsWith(` ${fault} in total`), answer.text);
      }
    }
  });

  test('what only the meaning refuses is told up to fifty times', async () => {
    const policy = allowPolicy(server.accountId, ['tags.read']);
    for (const [count, told] of [
      [49, 49],
      [50, 50],
      [51, 50],
      [100, 50],
    ] as const) {
      const resources = Object.fromEntries(Array.from({ length: count }, (_, i) => [`r${i}`, '*']));
      const answer = await create({ policies: [{ ...policy, resources }] });
      assert.equal(answer.status, 400);
      assert.equal(answer.json.errors.length, told);
    }
  });

  test('a name is one line that is not blank: 3001', async () => {
    for (const name of ['a\nb', 'a\r\nBcc: x', 'a\u2028b', '\u0007', ' ', '\u0085']) {
      assert.deepEqual(faultsOf(await create({ name })), ['400 3001 /name'], JSON.stringify(name));
    }
    assert.equal((await create({ name: ' a b ' })).status, 200);
  });

  test('the faults that are told have a limit too', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]));
    const answer = await create(unknown);
    assert.equal(answer.status, 400);
    assert.equal(answer.json.errors.length, 50);
  });

  test('only the digest of the value is stored, and nothing of it is logged', async () => {
    const { id, value } = (await create()).json.result;
    await server.call('GET', tokens, { token: value });
    const row = await server.app.database.read
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.digest, digestSecret(value));
    // Neither the value nor a tell-tale part of it, the prefix aside.
    const part = value.slice(5, 25);
    assert.equal(JSON.stringify(row).includes(part), false);
    assert.equal(server.logLines.join('').includes(part), false);
  });
});
