import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { permissions } from '../../src/iam/permissions.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

onEachDatabase((database) => {
  let server: TestServer;
  let document: Json;
  /** Every operation with its place. */
  let operations: { name: string; path: string; operation: Json }[];
  before(async () => {
    server = await bootServer(database);
    document = (await request('GET', `${server.origin}/openapi.json`)).json;
    operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => {
        assert.ok(METHODS.includes(method), `${method} ${path}`);
        return { name: `${method.toUpperCase()} ${path}`, path, operation };
      }),
    );
  });
  after(() => server.stop());

  test('the document is OpenAPI 3.1 and says who it is', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.equal(document.info.title, 'latchkey API');
    assert.match(document.info.version, /^\d+\.\d+\.\d+/);
    assert.deepEqual(document.servers, [{ url: '/' }]);
    assert.equal(document.components.securitySchemes.apiToken.scheme, 'bearer');
    assert.equal(document.components.securitySchemes.session.in, 'cookie');
    const { scopes, ...flow } = document.components.securitySchemes.oauth2.flows.authorizationCode;
    assert.deepEqual(flow, {
      authorizationUrl: '/oauth2/auth',
      tokenUrl: '/oauth2/token',
      refreshUrl: '/oauth2/token',
    });
    assert.deepEqual(scopes, Object.fromEntries(permissions.map(({ slug, name }) => [slug, name])));
    assert.deepEqual(document.security, [{ apiToken: [] }, { session: [] }]);
    const known = new Set([
      'openapi',
      'info',
      'servers',
      'paths',
      'components',
      'security',
      'tags',
    ]);
    assert.deepEqual(
      Object.keys(document).filter((key) => !known.has(key)),
      [],
    );
  });

  test('it names the preconditions, and the members that accept null', () => {
    const at = (path: string, method: string): Json => document.paths[`/client/v4${path}`][method];
    const namesOf = ({ parameters }: Json): string[] =>
      parameters.filter(({ in: place }: Json) => place === 'header').map(({ name }: Json) => name);
    const token = '/accounts/{account_id}/tokens/{token_id}';
    assert.deepEqual(namesOf(at(token, 'get')), ['if-none-match']);
    for (const method of ['put', 'delete']) {
      const operation = at(token, method);
      assert.deepEqual(namesOf(operation), ['if-match'], method);
      const failure = operation.responses['412'].content['application/json'].schema;
      assert.equal(failure.$ref, '#/components/schemas/FailedPrecondition');
    }
    assert.ok('etag' in at(token, 'get').responses['200'].headers);
    assert.deepEqual(namesOf(at('/accounts/{account_id}/tags', 'patch')), ['if-match']);
    assert.deepEqual(namesOf(at('/accounts/{account_id}/tokens', 'post')), []);
    const bodyOf = (path: string, method: string): Json =>
      at(path, method).requestBody.content['application/json'].schema.properties;
    const put = bodyOf(token, 'put');
    assert.deepEqual([put.name.type, put.expires_on.type], ['string', ['string', 'null']]);
    assert.deepEqual(put.status.anyOf.at(-1), { type: 'null' });
    const patch = bodyOf(
      '/accounts/{account_id}/ai-gateway/custom-providers/{provider_id}',
      'patch',
    );
    // Required members stay required, although PATCH can omit them.
    assert.deepEqual([patch.name.type, patch.beta.type], ['string', ['boolean', 'null']]);
  });

  test('every operation of the API is in it, and nothing else', () => {
    const names = operations.map(({ name }) => name);
    for (const expected of [
      'GET /client/v4/accounts/{account_id}/tokens',
      'POST /client/v4/accounts/{account_id}/tokens',
      'GET /client/v4/accounts/{account_id}/tokens/verify',
      'GET /client/v4/accounts/{account_id}/tokens/permission_groups',
      'GET /client/v4/accounts/{account_id}/tokens/{token_id}',
      'DELETE /client/v4/accounts/{account_id}/tokens/{token_id}',
    ]) {
      assert.ok(names.includes(expected), expected);
    }
    const places = /^\/(?:client\/v4\/|v1\/|oauth2\/|\.well-known\/|healthz$|readyz$)/;
    for (const { path } of operations) assert.match(path, places);
  });

  test('every operation has a name of its own, a section, a summary and its refusals', () => {
    const ids = new Set<string>();
    for (const { name, operation } of operations) {
      assert.match(operation.operationId, /^[a-z]+(-[a-z]+)+$/, name);
      assert.equal(ids.has(operation.operationId), false, name);
      ids.add(operation.operationId);
      assert.equal(operation.tags.length, 1, name);
      assert.ok(operation.summary.length > 5, name);
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/, name);
        assert.ok(response.description.length > 0, name);
      }
      if (operation.requestBody !== undefined) {
        assert.ok(operation.requestBody.content, name);
      }
    }
  });

  test('an operation names the scope with which an OAuth client may use it', () => {
    const scopesOf = (wanted: string) => {
      const security: Json[] =
        operations.find(({ name }) => name === wanted)?.operation.security ?? [];
      return security.flatMap(({ oauth2 }) => oauth2 ?? ['none']).at(-1);
    };
    assert.equal(scopesOf('PUT /client/v4/accounts/{account_id}'), 'account-settings.write');
    assert.equal(scopesOf('GET /client/v4/accounts/{account_id}'), 'account-settings.read');
    assert.equal(scopesOf('GET /client/v4/user'), 'user-details.read');
    // What is the person's own, and what only a person may do.
    assert.equal(scopesOf('GET /client/v4/user/tokens'), 'none');
    assert.equal(scopesOf('DELETE /client/v4/user/oauth_grants/{grant_id}'), 'none');
  });

  test('every operation of the management API says in words what a caller needs', () => {
    for (const { name, path, operation } of operations) {
      if (!path.startsWith('/client/v4/')) continue;
      const [, needs = ''] = /Requires: (.+)\.$/.exec(operation.description) ?? [];
      const isPermission = permissions.some((permission) =>
        needs.startsWith(`\`${permission.slug}\` (${permission.name})`),
      );
      const schemes = (operation.security ?? document.security).flatMap(Object.keys);
      const expected =
        { 'no authentication': [], 'a session': ['session'] }[needs] ??
        (isPermission || needs === 'a valid credential' ? ['apiToken', 'session'] : undefined);
      const others = schemes.filter((scheme: string) => scheme !== 'oauth2');
      assert.deepEqual(others, expected, `${name}: ${needs}`);
      if (needs === 'no authentication') continue;
      assert.ok(operation.responses['401'], name);
      assert.ok(operation.responses['403'], name);
    }
  });

  test('the parameters of a path are declared, each once, and no others', () => {
    for (const { name, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter);
      const declared = (operation.parameters ?? []).filter((entry: Json) => entry.in === 'path');
      assert.equal(declared.length, inPath.length, name);
      assert.deepEqual(new Set(declared.map((entry: Json) => entry.name)), new Set(inPath), name);
      for (const parameter of operation.parameters ?? []) {
        assert.ok(parameter.schema ?? parameter.content, `${name} ${parameter.name}`);
        if (parameter.in === 'path') assert.equal(parameter.required, true, name);
      }
    }
  });

  /** A schema of the document, together with what its references lead to. */
  const complete = (schema: Json): Json => ({ ...schema, components: document.components });

  test('every schema in it is valid JSON Schema 2020-12, and every reference leads somewhere', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    // Most stand in many operations, and each takes some milliseconds.
    const places = new Map<string, string>();
    for (const { name, operation } of operations) {
      const bodies = [operation.requestBody, ...Object.values<Json>(operation.responses)];
      const media = bodies.flatMap((body) => Object.values<Json>(body?.content ?? {}));
      for (const { schema = {} } of [...(operation.parameters ?? []), ...media]) {
        places.set(JSON.stringify(schema), name);
      }
    }
    for (const [schema, name] of places) {
      assert.doesNotThrow(() => ajv.compile(complete(JSON.parse(schema))), name);
    }
    for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      const parts = reference.replace(/^#\//, '').split('/');
      const found = parts.reduce<Json>((at, part) => at?.[part], document);
      assert.notEqual(found, undefined, reference);
    }
  });

  test('answers are what the document says', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const path = '/client/v4/accounts/{account_id}/tokens';
    const { responses } = document.paths[path].get;
    const matches = (status: number, answer: Json): boolean =>
      ajv.validate(complete(responses[status].content['application/json'].schema), answer);
    const listed = await server.call('GET', `${server.account}/tokens`);
    assert.ok(matches(200, listed.json), ajv.errorsText());
    const refused = await server.call('GET', `${server.account}/tokens`, { token: null });
    assert.ok(matches(401, refused.json), ajv.errorsText());
    const wrong = await server.call('GET', `${server.account}/tokens?page=0`);
    assert.ok(matches(400, wrong.json), ajv.errorsText());
  });

  test('/docs is a page without inline script, whose parts all come from this server', async () => {
    const page = await request('GET', `${server.origin}/docs/`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(/script-src|unsafe-eval/.test(policy), false);
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    const scripts = [...page.text.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)];
    assert.ok(scripts.length > 0);
    for (const [, attributes = '', content = ''] of scripts) {
      assert.match(attributes, /src="/);
      assert.equal(content.trim(), '');
    }
    assert.equal(/\son[a-z]+="|javascript:/.test(page.text), false);
    for (const [, source = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const part = await request('GET', new URL(source, `${server.origin}/docs/`).href);
      assert.equal(part.status, 200, source);
      assert.equal(new URL(source, `${server.origin}/docs/`).origin, server.origin);
    }
    assert.equal((await request('GET', `${server.origin}/docs`)).status, 200);
  });

  test('/docs has nothing but its files', async () => {
    for (const path of [
      'static/nothing.js',
      'static/%2e%2e/package.json',
      'static/..%2f..%2fLICENSE',
    ]) {
      const answer = await request('GET', `${server.origin}/docs/${path}`);
      assert.ok([403, 404].includes(answer.status), `${path}: ${answer.status}`);
    }
  });

  test('/metrics counts requests by route pattern, never by path', async () => {
    await server.call('GET', `${server.account}/tokens/${server.accountId}`);
    await request('GET', `${server.origin}/some-path-of-an-attacker`);
    const { status, text, headers } = await request('GET', `${server.origin}/metrics`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(text, /http_request_duration_seconds_count\{[^}]*tokens\/:token_id/);
    assert.match(text, /route="none"/);
    assert.match(text, /^process_cpu_seconds_total /m);
    assert.equal(text.includes(server.accountId), false);
    assert.equal(text.includes('attacker'), false);
  });
});
