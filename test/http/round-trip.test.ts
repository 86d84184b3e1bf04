import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  type Answer,
  type CallOptions,
  type Json,
  type TestServer,
  bootServer,
} from '../support/server.ts';
import { CREATORS, type TestRecord, createPasskey } from './records.ts';

/** Members that the server maintains: requests may contain any value. */
const MAINTAINED =
  /_(?:on|at)$|^(?:secrets|has_rotated_secret|client_uri_verification|invitation_link_revoked)$|^re(?:quest|sponse)_(?:head|size|headers|head_complete)$/;
/** Times that requests can change. */
const SETTABLE_TIMES: ReadonlySet<string> = new Set(['expires_on']);

/** Operations on something that is not one record with a GET of its own. */
const OTHERS: ReadonlySet<string> = new Set([
  '/accounts/{account_id}/tags',
  '/zones/{zone_id}/tags',
  '/accounts/{account_id}/tokens/{token_id}/value',
  '/user/tokens/{token_id}/value',
  '/user/password',
  '/user/password_resets',
  '/user/totp',
  '/user/passkeys/{passkey_id}',
]);

onEachDatabase((database) => {
  let server: TestServer;
  let document: Json;
  before(async () => {
    server = await bootServer(database);
    document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as Json;
  });
  after(() => server.stop());

  function send(record: TestRecord, method: string, options: CallOptions = {}): Promise<Answer> {
    const headers = { ...record.headers, ...options.headers };
    const token = record.token === null ? { token: null } : {};
    return server.call(method, record.path, { ...options, ...token, headers });
  }

  async function read(record: TestRecord): Promise<{ result: Json; etag: string }> {
    const { status, json, headers, text } = await send(record, 'GET');
    assert.equal(status, 200, text);
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{22}"$/);
    return { result: json.result, etag };
  }

  test('every record with a GET is tested', () => {
    const paths = Object.entries<Json>(document.paths)
      .filter(([, operations]) => operations.put !== undefined || operations.patch !== undefined)
      .filter(([path]) => path.startsWith('/client/v4/'))
      .map(([path]) => path.replace('/client/v4', ''))
      .filter((path) => !OTHERS.has(path));
    assert.deepEqual(paths.toSorted(), Object.keys(CREATORS).toSorted());
  });

  for (const [template, create] of Object.entries(CREATORS))
    describe(template, () => {
      let record: TestRecord;
      before(async () => {
        record = await create(server);
      });

      test('accepts the unchanged response of GET', async () => {
        const before_ = await read(record);
        const { status, json, text, headers } = await send(record, record.method, {
          body: before_.result,
        });
        assert.equal(status, 200, text);
        assert.equal(headers.get('etag'), before_.etag);
        const after_ = await read(record);
        assert.equal(after_.etag, before_.etag);
        assert.deepEqual(
          withoutMaintained(json.result),
          withoutMaintained(pickOf(after_.result, json.result)),
        );
        assert.deepEqual(withoutMaintained(after_.result), withoutMaintained(before_.result));
      });

      test('accepts a null for each optional member, and restores its default', async () => {
        const schema = bodySchema(template, record.method);
        const { result } = await read(record);
        const optional = Object.keys(schema.properties).filter(
          (name) => !(schema.required ?? []).includes(name) && isResettable(template, name),
        );
        for (const name of optional) {
          const { result: unchanged } = await read(record);
          const reset = await send(record, record.method, { body: { ...unchanged, [name]: null } });
          assert.equal(reset.status, 200, `${name}: ${reset.text}`);
          const omitted = Object.fromEntries(
            Object.entries(unchanged).filter(([member]) => member !== name),
          );
          if (record.method === 'PUT') {
            const put = await send(record, 'PUT', { body: omitted });
            assert.equal(put.status, 200, `${name}: ${put.text}`);
            assert.deepEqual(put.json.result[name], reset.json.result[name], name);
          }
          const restored = await send(record, record.method, { body: result });
          assert.equal(restored.status, 200, `${name}: ${restored.text}`);
        }
      });

      test('rejects another value of a read-only member by name, and ignores what the server maintains', async () => {
        const { result } = await read(record);
        const { properties } = bodySchema(template, record.method);
        for (const [name, value] of Object.entries<Json>(result)) {
          if (Object.hasOwn(properties, name)) continue;
          const body = { ...result, [name]: otherThan(value) };
          const answer = await send(record, record.method, { body });
          if (isMaintained(name)) assert.equal(answer.status, 200, `${name}: ${answer.text}`);
          else {
            assert.equal(answer.status, 400, `${name}: ${answer.text}`);
            assert.equal(answer.json.errors[0].source.pointer, `/${name}`);
            assert.match(answer.json.errors[0].message, new RegExp(`${name} is read-only`));
          }
        }
        const unknown = await send(record, record.method, { body: { ...result, unheard_of: 1 } });
        assert.equal(unknown.status, 400, unknown.text);
        assert.deepEqual(withoutMaintained((await read(record)).result), withoutMaintained(result));
      });

      test('accepts If-Match, and answers a stale one with the record', async () => {
        const { result, etag } = await read(record);
        const body = { ...result, ...record.change };
        for (const stale of ['"other"', `W/${etag}`, '"a", "b"', '']) {
          const headers = { 'if-match': stale };
          const answer = await send(record, record.method, { body, headers });
          assert.deepEqual([answer.status, answer.code], [412, 6016], answer.text);
          assert.equal(answer.headers.get('etag'), etag);
          assert.deepEqual(
            withoutMaintained(answer.json.result),
            withoutMaintained(pickOf(result, answer.json.result)),
          );
          assert.equal(answer.json.success, false);
        }
        assert.deepEqual(withoutMaintained((await read(record)).result), withoutMaintained(result));
        const headers = { 'if-match': `"other", ${etag}` };
        const changed = await send(record, record.method, { body, headers });
        assert.equal(changed.status, 200, changed.text);
        if (Object.keys(record.change).length > 0) {
          assert.notEqual(changed.headers.get('etag'), etag);
          const again = await send(record, record.method, { body: result, headers });
          assert.equal(again.status, 412, again.text);
        }
        const any = await send(record, record.method, {
          body: result,
          headers: { 'if-match': '*' },
        });
        assert.equal(any.status, 200, any.text);
      });

      test('answers If-None-Match', async () => {
        const { etag } = await read(record);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const answer = await send(record, 'GET', { headers: { 'if-none-match': known } });
          assert.deepEqual([answer.status, answer.text], [304, ''], known);
          assert.equal(answer.headers.get('etag'), etag);
        }
        const other = await send(record, 'GET', { headers: { 'if-none-match': '"other"' } });
        assert.equal(other.status, 200);
      });

      test('is deleted only if If-Match lists its ETag', async () => {
        if (record.isKept === true) return;
        const { etag } = await read(record);
        const stale = await send(record, 'DELETE', { headers: { 'if-match': '"other"' } });
        assert.deepEqual([stale.status, stale.code], [412, 6016], stale.text);
        assert.equal(stale.headers.get('etag'), etag);
        assert.equal((await read(record)).etag, etag);
        const deleted = await send(record, 'DELETE', { headers: { 'if-match': etag } });
        assert.equal(deleted.status, 200, deleted.text);
      });
    });

  test('a passkey has an ETag', async () => {
    const record = await createPasskey(server);
    const named = await send(record, 'PATCH', { body: { name: 'a' } });
    assert.equal(named.status, 200, named.text);
    const etag = named.headers.get('etag') ?? '';
    const again = await send(record, 'PATCH', { body: named.json.result });
    assert.equal(again.headers.get('etag'), etag, again.text);
    const stale = { headers: { 'if-match': '"other"' } };
    assert.equal((await send(record, 'PATCH', { ...stale, body: { name: 'b' } })).code, 6016);
    assert.equal((await send(record, 'DELETE', stale)).code, 6016);
    assert.equal((await send(record, 'DELETE', { headers: { 'if-match': etag } })).status, 200);
  });

  function bodySchema(template: string, method: string): Json {
    const operation = document.paths[`/client/v4${template}`][method.toLowerCase()];
    return operation.requestBody.content['application/json'].schema;
  }
});

function isMaintained(name: string): boolean {
  return MAINTAINED.test(name) && !SETTABLE_TIMES.has(name);
}

function withoutMaintained(record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isMaintained(name)));
}

/** The members that another record has. */
function pickOf(record: Json, other: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(other, name)));
}

/** Members of requests that are no state of the record, or that a record cannot be without. */
function isResettable(template: string, name: string): boolean {
  const fixed: Record<string, string[]> = {
    '/accounts/{account_id}/members/{member_id}': ['roles'],
    '/accounts/{account_id}/oauth_clients/{client_id}': [
      'client_name',
      'response_types',
      'grant_types',
      'token_endpoint_auth_method',
      'redirect_uris',
      'visibility',
      // The optional scopes are a part of them.
      'scopes',
    ],
    // The masked secrets of a deleted destination cannot be restored.
    '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}': ['otel'],
    '/accounts/{account_id}/ai-gateway/custom-providers/{provider_id}': ['name', 'base_url'],
    '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/provider_configs/{config_id}': [
      'alias',
      'default_config',
      'secret',
      // One of the two requires the other.
      'rate_limit',
      'rate_limit_period',
    ],
  };
  return fixed[template]?.includes(name) !== true;
}

function otherThan(value: Json): Json {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return 'other';
}
