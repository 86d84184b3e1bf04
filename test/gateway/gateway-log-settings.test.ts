import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { noteSecret } from '../support/secrets-in-logs.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const AUTHORIZATION = 'Bearer of-the-collector-1234';
const API_KEY = 'key-of-the-collector-5678';
const MASKED = { authorization: '…1234', headers: { 'X-Api-Key': '…5678', team: '…' } };
const SECRETS = {
  authorization: AUTHORIZATION,
  headers: { 'X-Api-Key': API_KEY, team: 'payments' },
};
for (const secret of [AUTHORIZATION, API_KEY]) noteSecret(secret);

let count = 0;
const fresh = (): string => `g${++count}`;

/** What a gateway's owner says of its logs. */
onEachDatabase((database) => {
  let server: TestServer;
  let receiver: OtlpReceiver;
  let gateways: string;
  before(async () => {
    receiver = await startOtlpReceiver();
    const { port } = new URL(receiver.origin);
    server = await bootServer(database, {
      settings: {
        UPSTREAM_ALLOW: `127.0.0.1:${port}, 10.1.0.0/16`,
        GATEWAY_URL: 'https://gateway.example',
      },
    });
    gateways = `${server.account}/ai-gateway/gateways`;
    await create('subject');
  });
  after(async () => {
    await server.stop();
    await receiver.stop();
  });

  const create = (id: string, fields: object = {}): Promise<Answer> =>
    server.call('POST', gateways, { body: { ...gatewayBody(id), ...fields } });

  const update = (fields: object, id = 'subject'): Promise<Answer> => {
    const { id: _id, ...required } = gatewayBody(id);
    return server.call('PUT', `${gateways}/${id}`, { body: { ...required, ...fields } });
  };

  async function target(fields: object = {}): Promise<object> {
    return { url: receiver.origin, ...SECRETS, ...fields };
  }

  function assertFault(answer: Answer, pointer: string, code = 5001): void {
    assert.equal(answer.status, 400, answer.text);
    const faults = answer.json.errors as { code: number; source: { pointer: string } }[];
    const at = faults.find(({ source }) => source.pointer === pointer);
    assert.equal(at?.code, code, answer.text);
    assert.doesNotMatch(answer.text, /of-the-collector/);
  }

  /** The headers of the latest export of a gateway after one more exchange. */
  async function exportedHeaders(id: string): Promise<unknown[]> {
    const isOfGateway = ({ spans }: OtlpReceiver['exports'][number]) =>
      spans.some((span) => span.attributes['latchkey.gateway.id'] === id);
    const known = receiver.exports.filter(isOfGateway).length;
    const { status } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': id },
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
    });
    assert.equal(status, 200);
    await receiver.spansOf(id, known + 1);
    const { headers } = receiver.exports.findLast(isOfGateway) ?? {};
    return [headers?.authorization, headers?.['x-api-key'], headers?.team];
  }

  describe('how many rows, and whether they have bodies', () => {
    const fine: [object, object][] = [
      [{}, { log_management: null, log_management_strategy: null, zdr: false }],
      [{ log_management: null }, { log_management: null }],
      [{ log_management: 0 }, { log_management: 0 }],
      [{ log_management: 1 }, { log_management: 1, log_management_strategy: null }],
      [{ log_management: 1_000_000_000 }, { log_management: 1_000_000_000 }],
      [
        { log_management_strategy: 'STOP_INSERTING' },
        { log_management_strategy: 'STOP_INSERTING' },
      ],
      [{ log_management_strategy: 'DELETE_OLDEST' }, { log_management_strategy: 'DELETE_OLDEST' }],
      [{ log_management_strategy: null }, { log_management_strategy: null }],
      [{ zdr: true }, { zdr: true }],
    ];
    for (const [sent, shown] of fine) {
      test(`200: ${JSON.stringify(sent)}`, async () => {
        const id = fresh();
        const { json } = await create(id, sent);
        const read = await server.call('GET', `${gateways}/${id}`);
        assert.deepEqual(read.json.result, json.result);
        for (const result of [json.result, (await update(sent)).json.result]) {
          for (const [field, value] of Object.entries(shown)) {
            assert.deepEqual(result[field], value, field);
          }
        }
      });
    }

    const bad: [object, string][] = [
      [{ log_management: -1 }, '/log_management'],
      [{ log_management: 1.5 }, '/log_management'],
      [{ log_management: '5' }, '/log_management'],
      [{ log_management: 1_000_000_001 }, '/log_management'],
      [{ log_management_strategy: 'DELETE_NEWEST' }, '/log_management_strategy'],
      [{ zdr: 'yes' }, '/zdr'],
      [{ zdr: 'yes' }, '/zdr'],
    ];
    for (const [fields, pointer] of bad) {
      test(`400/5001: ${JSON.stringify(fields)}`, async () => {
        assertFault(await update(fields), pointer);
        assertFault(await create('refused', fields), pointer);
      });
    }
  });

  describe('the secrets of targets', () => {
    test('are shown as a preview only, wherever a gateway is', async () => {
      const id = fresh();
      const made = await create(id, { otel: [await target()] });
      assert.equal(made.status, 200, made.text);
      const shown = [{ url: receiver.origin, ...MASKED, content_type: 'json' }];
      const answers = [
        made,
        await server.call('GET', `${gateways}/${id}`),
        await update({ otel: [await target()] }, id),
        await server.call('DELETE', `${gateways}/${id}`),
      ];
      for (const { json, text } of answers) {
        assert.deepEqual(json.result.otel, shown);
        assert.doesNotMatch(text, /of-the-collector|payments/);
      }
      const listed = await server.call('GET', gateways);
      assert.doesNotMatch(listed.text, /of-the-collector|payments/);
    });

    test('neither the database nor the audit log holds them', async () => {
      const id = fresh();
      await create(id, { otel: [await target()] });
      await update({ otel: [await target()] }, id);
      const { otel } = await server.app.database.read
        .selectFrom('gateways')
        .select('otel')
        .where('account_id', '=', server.accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const audit = JSON.stringify(await readAuditRows(server.app.database, server.accountId));
      for (const text of [otel ?? '', audit]) {
        assert.match(text, /127\.0\.0\.1/);
        assert.doesNotMatch(text, /of-the-collector|payments/);
      }
    });

    test('stay what they are when a gateway is read, changed and written back', async () => {
      const id = fresh();
      const made = await create(id, { otel: [await target()] });
      assert.deepEqual(await exportedHeaders(id), [AUTHORIZATION, API_KEY, 'payments']);
      const { is_default: _, created_at: _c, modified_at: _m, ...read } = made.json.result;
      const { id: _id, ...body } = read;
      const put = await server.call('PUT', `${gateways}/${id}`, {
        body: { ...body, cache_ttl: 9 },
      });
      assert.equal(put.status, 200, put.text);
      assert.deepEqual(put.json.result.otel, made.json.result.otel);
      assert.deepEqual(await exportedHeaders(id), [AUTHORIZATION, API_KEY, 'payments']);
    });

    test('are replaced, and removed, one by one', async () => {
      const id = fresh();
      await create(id, { otel: [await target()] });
      const changed = { url: receiver.origin, headers: { ...MASKED.headers, team: 'sales' } };
      const { json } = await update({ otel: [changed] }, id);
      assert.deepEqual(json.result.otel, [
        { url: receiver.origin, headers: MASKED.headers, content_type: 'json' },
      ]);
      assert.deepEqual(await exportedHeaders(id), [undefined, API_KEY, 'sales']);
    });

    test('stay with their host: on another path, and in another place of the list', async () => {
      const id = fresh();
      const other = { url: 'https://other.example/', authorization: 'Bearer of-others-1234' };
      await create(id, { otel: [other, await target()] });
      const moved = { ...(await target({ url: `${receiver.origin}/moved` })), ...MASKED };
      const put = await update({ otel: [moved] }, id);
      assert.equal(put.status, 200, put.text);
      assert.deepEqual(await exportedHeaders(id), [AUTHORIZATION, API_KEY, 'payments']);
    });

    test('400/5001: a mask that stands for nothing', async () => {
      const id = fresh();
      assertFault(
        await create(id, { otel: [{ ...(await target()), ...MASKED }] }),
        '/otel/0/authorization',
      );
      await create(id, { otel: [await target()] });
      const { headers } = MASKED;
      const elsewhere = receiver.origin.replace('127.0.0.1', '10.1.2.3').replace(/:\d+$/, '');
      const cases: [object, string][] = [
        // With it, the secret would go to whoever writes the address.
        [{ url: elsewhere, headers }, '/otel/0/headers/X-Api-Key'],
        [
          { url: receiver.origin, headers: { ...headers, 'x~other': '…5678' } },
          '/otel/0/headers/x~0other',
        ],
        [{ url: receiver.origin, headers, authorization: '…9999' }, '/otel/0/authorization'],
        [{ url: receiver.origin, headers, authorization: 'Bearer …1234' }, '/otel/0/authorization'],
      ];
      for (const [otel, pointer] of cases) assertFault(await update({ otel: [otel] }, id), pointer);
      assert.deepEqual(await exportedHeaders(id), [AUTHORIZATION, API_KEY, 'payments']);
    });

    test('400/5001: a mask of which nobody knows whose it is', async () => {
      const id = fresh();
      const { origin } = receiver;
      const of = (path: string, team: string) => ({ url: `${origin}/${path}`, headers: { team } });
      await create(id, { otel: [of('a', 'one'), of('b', 'two')] });
      assertFault(await update({ otel: [of('c', '…')] }, id), '/otel/0/headers/team');
      const kept = await update({ otel: [of('b', '…')] }, id);
      assert.equal(kept.status, 200, kept.text);
      assert.deepEqual(await exportedHeaders(id), [undefined, undefined, 'two']);
    });
  });

  describe('targets', () => {
    const URL_ = 'https://otel.example/v1/traces';
    const many = (length: number) => Array.from({ length }, (_, i) => ({ url: `${URL_}/${i}` }));
    const headers = (length: number, value = 'v') =>
      Object.fromEntries(Array.from({ length }, (_, i) => [`x-${i}`, value]));
    /** Of so many bytes as JSON. */
    const large = (bytes: number) => {
      const otel = [
        { url: `${URL_}/0`, headers: { ...headers(7, 'v'.repeat(4_000)), 'x-7': 'v' } },
        { url: `${URL_}/1`, headers: { 'x-8': 'v'.repeat(4_000) } },
      ];
      const missing = bytes - JSON.stringify(otel).length;
      assert.ok(missing > 0 && missing < 4_000, `${missing}`);
      Object.assign(otel[0]?.headers ?? {}, { 'x-7': 'v'.repeat(missing + 1) });
      assert.equal(JSON.stringify(otel).length, bytes);
      return otel;
    };

    const fine: [string, unknown][] = [
      ['none', null],
      ['an empty list', []],
      ['5', many(5)],
      ['without headers', [{ url: URL_ }]],
      ['in JSON', [{ url: URL_, headers: {}, content_type: 'json' }]],
      ['16 headers', [{ url: URL_, headers: headers(16) }]],
      ['a name of 64', [{ url: URL_, headers: { ['n'.repeat(64)]: 'v' } }]],
      ['a value of 4,096', [{ url: URL_, headers: { x: 'v'.repeat(4_096) } }]],
      ['an authorization of 4,096', [{ url: URL_, authorization: 'v'.repeat(4_096) }]],
      ['no authorization', [{ url: URL_, authorization: '' }]],
      ['a url of 2,048', [{ url: `${URL_}/`.padEnd(2_048, 'x') }]],
      ['32,768 bytes', large(32_768)],
      ['an address that the operator has opened', [{ url: 'http://10.1.2.3:4318' }]],
      [
        'authorization among the headers',
        [{ url: URL_, headers: { Authorization: 'Basic eA==' } }],
      ],
    ];
    for (const [what, otel] of fine) {
      test(`200: ${what}`, async () => {
        const { status, text, json } = await update({ otel });
        assert.equal(status, 200, text);
        const expected = Array.isArray(otel) && otel.length > 0 ? otel.length : undefined;
        assert.equal(json.result.otel?.length, expected);
      });
    }

    const url = (text: string): [object, string] => [{ url: text }, '/otel/0/url'];
    const bad: [string, [object, string]][] = [
      ['a url that is none', url('otel')],
      ['an empty url', url('')],
      ['a url with a space', url('https://otel.example/ x')],
      ['a url of 2,049', url(`${URL_}/`.padEnd(2_049, 'x'))],
      ['http', url('http://otel.example')],
      ['another protocol', url('ftp://otel.example')],
      ['a query', url('https://otel.example/?key=x')],
      ['a password', url('https://user:word@otel.example')],
      ['a loopback address', url('https://127.0.0.1:1')],
      ['localhost', url('https://localhost')],
      ['a private address', url('https://10.2.0.1')],
      ['the metadata service of a cloud', url('https://169.254.169.254')],
      ['this server', url('https://gateway.example')],
      ['no url', [{ headers: {} }, '/otel/0/url']],
      ['17 headers', [{ url: URL_, headers: headers(17) }, '/otel/0/headers']],
      ['a value of 4,097', [{ url: URL_, headers: { x: 'v'.repeat(4_097) } }, '/otel/0/headers/x']],
      [
        'an authorization of 4,097',
        [{ url: URL_, authorization: 'v'.repeat(4_097) }, '/otel/0/authorization'],
      ],
      ['an empty value', [{ url: URL_, headers: { x: '' } }, '/otel/0/headers/x']],
      ['two lines', [{ url: URL_, headers: { x: 'a\r\nb: c' } }, '/otel/0/headers/x']],
      ['no ASCII', [{ url: URL_, headers: { x: 'ä' } }, '/otel/0/headers/x']],
      [
        'a header of ours',
        [{ url: URL_, headers: { 'Content-Type': 'x' } }, '/otel/0/headers/Content-Type'],
      ],
      [
        'a header of the connection',
        [{ url: URL_, headers: { host: 'x' } }, '/otel/0/headers/host'],
      ],
      ['a header twice', [{ url: URL_, headers: { a: 'x', A: 'x' } }, '/otel/0/headers/A']],
      [
        'authorization twice',
        [
          { url: URL_, authorization: 'x', headers: { Authorization: 'x' } },
          '/otel/0/headers/Authorization',
        ],
      ],
      ['protobuf', [{ url: URL_, content_type: 'protobuf' }, '/otel/0/content_type']],
      ['another encoding', [{ url: URL_, content_type: 'xml' }, '/otel/0/content_type']],
    ];
    for (const [what, [otel, pointer]] of bad) {
      test(`400/5001: ${what}`, async () => {
        assertFault(await update({ otel: [otel] }), pointer);
        assertFault(await create('refused', { otel: [otel] }), pointer);
      });
    }

    test('400/5001: 6, the same twice, and more than 32,768 bytes', async () => {
      assertFault(await update({ otel: many(6) }), '/otel');
      assertFault(await update({ otel: large(32_769) }), '/otel');
      assertFault(await update({ otel: [{ url: URL_ }, { url: URL_ }] }), '/otel/1/url');
      assertFault(
        await update({ otel: [{ url: 'https://a.example' }, { url: 'https://A.example:443/' }] }),
        '/otel/1/url',
      );
      assertFault(await update({ otel: 'https://otel.example' }), '/otel');
    });

    test('400: a name of 65, one that is none, and __proto__', async () => {
      for (const name of ['n'.repeat(65), 'a b', 'a:', '', '__proto__']) {
        const named = JSON.parse(`{${JSON.stringify(name)}:"v"}`);
        const { status } = await update({ otel: [{ url: URL_, headers: named }] });
        assert.equal(status, 400, name);
      }
    });

    test('400/5002: an unknown field', async () => {
      assertFault(await update({ otel: [{ url: URL_, surprise: 1 }] }), '/otel/0/surprise', 5002);
    });
  });
});
