import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, createClient, tryCreate } from './client-bodies.ts';

const WEB_URIS = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri'];

function origins(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://a${index}.example.com`);
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('all faults of a body are told at once, those of the schema and those of the domain', async () => {
    const answer = await tryCreate(server, {
      client_name: 7,
      nonsense: true,
      response_types: ['code', 'token'],
      grant_types: ['authorization_code', 'client_credentials'],
      redirect_uris: ['https://app.example.com/', 'https://app.example.com/#', 5],
      post_logout_redirect_uris: ['javascript:alert(1)'],
      scopes: ['tags.read', 'tags:read', 'nothing.read', null],
      optional_scopes: ['tags.write', 'openid'],
      logo_uri: 'http://app.example.com/logo.png',
      tos_uri: false,
      allowed_cors_origins: ['*'],
    });
    assertFaults(answer, [
      '4001 /client_name',
      '4002 /nonsense',
      '4004 /response_types/1',
      '4003 /grant_types/1',
      '4005 /redirect_uris/1',
      '4001 /redirect_uris/2',
      '4005 /post_logout_redirect_uris/0',
      '4006 /scopes/1',
      '4006 /scopes/2',
      '4001 /scopes/3',
      '4001 /optional_scopes/0',
      '4001 /optional_scopes/1',
      '4001 /logo_uri',
      '4001 /tos_uri',
      '4001 /allowed_cors_origins/0',
    ]);
    for (const { message } of answer.json.errors) assert.match(message, /^[A-Z][^:]+: .+/);
  });

  test('faults of the domain alone come at once too', async () => {
    const answer = await tryCreate(server, {
      grant_types: ['implicit'],
      response_types: ['token'],
      redirect_uris: ['about:blank'],
      scopes: ['x'],
    });
    assertFaults(answer, [
      '4003 /grant_types',
      '4003 /grant_types/0',
      '4004 /response_types/0',
      '4005 /redirect_uris/0',
      '4006 /scopes/0',
    ]);
  });

  test('client_name: its length in characters, and what it may hold', async () => {
    const joined = ['a\u2800b', '❤\uFE0F', '👩\u200D❤\uFE0F\u200D👨', 'क्\u200Dष', '葛\u{E0100}'];
    for (const name of [
      'x',
      'a'.repeat(254),
      'a'.repeat(255),
      '🔑'.repeat(255),
      '  x',
      'مثال',
      ...joined,
    ]) {
      const client = await createClient(server, { client_name: name });
      assert.equal(client.client_name, name);
    }
    const bad = [
      '',
      'a'.repeat(256),
      ' ',
      '\u200B\u00A0',
      'a\nb',
      'a\u0007',
      'a\u202Eb',
      '\u2066a',
      '\u3164',
      '\u2800',
      '\u2800 \u2800',
      'a\u3164b',
      'a\u200Bb',
      'a\u00ADb',
      'a\u2060',
      '\u{E0041}a',
      'a\u{E0041}',
      '\u200Da',
      'a \u200Db',
      'a\u200D\u200Db',
      '\uFE0Fa',
      'a\uFE0F\uFE0F',
      'a \u{E0100}',
    ];
    for (const name of [...bad, null, 1, ['x'], {}]) {
      assertFaults(await tryCreate(server, { client_name: name }), ['4001 /client_name']);
    }
    const nul = await tryCreate(server, { client_name: 'a\0b' });
    assert.equal(nul.status, 400);
    const half = await tryCreate(server, { client_name: 'a\uD800b' });
    assert.equal(half.status, 400);
  });

  const grantTypes: [unknown, string[]][] = [
    [[], ['4003 /grant_types']],
    [['refresh_token'], ['4003 /grant_types']],
    [['AUTHORIZATION_CODE'], ['4003 /grant_types', '4003 /grant_types/0']],
    [['authorization_code', 'authorization_code'], ['4003 /grant_types/1']],
    [['authorization_code', 'password'], ['4003 /grant_types/1']],
    [['authorization_code', 'implicit'], ['4003 /grant_types/1']],
    [['authorization_code', ''], ['4003 /grant_types/1']],
    [
      ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      ['4003 /grant_types/1'],
    ],
    [['authorization_code', 1], ['4001 /grant_types/1']],
    ['authorization_code', ['4001 /grant_types']],
    [null, ['4001 /grant_types']],
    [
      Array.from({ length: 101 }, (_, index) => (index === 0 ? 'authorization_code' : 3)),
      [
        '4003 /grant_types',
        // A schema reports its first fifty faults.
        ...Array.from({ length: 50 }, (_, index) => `4001 /grant_types/${index + 1}`),
      ],
    ],
  ];
  test('grant_types', async () => {
    for (const [value, faults] of grantTypes) {
      assertFaults(await tryCreate(server, { grant_types: value }), faults);
    }
    for (const value of [
      ['authorization_code'],
      ['refresh_token', 'authorization_code'],
      ['authorization_code', 'refresh_token'],
    ]) {
      assert.deepEqual((await createClient(server, { grant_types: value })).grant_types, value);
    }
  });

  const responseTypes: [unknown, string[]][] = [
    [[], ['4004 /response_types']],
    [['token'], ['4004 /response_types/0']],
    [['id_token'], ['4004 /response_types/0']],
    [['code id_token'], ['4004 /response_types/0']],
    [['code', 'code'], ['4004 /response_types/1']],
    [['Code'], ['4004 /response_types/0']],
    [[0], ['4001 /response_types/0']],
    ['code', ['4001 /response_types']],
    [null, ['4001 /response_types']],
  ];
  test('response_types', async () => {
    for (const [value, faults] of responseTypes) {
      assertFaults(await tryCreate(server, { response_types: value }), faults);
    }
  });

  test('token_endpoint_auth_method', async () => {
    for (const value of ['', 'private_key_jwt', 'NONE', 'client_secret_jwt', null, 1, ['none']]) {
      const answer = await tryCreate(server, { token_endpoint_auth_method: value });
      assertFaults(answer, ['4001 /token_endpoint_auth_method']);
    }
  });

  test('scopes: only known ones, each once', async () => {
    const cases: [unknown, string[]][] = [
      [['nothing.read'], ['4006 /scopes/0']],
      [['Tags.Read'], ['4006 /scopes/0']],
      [['tags.read '], ['4006 /scopes/0']],
      [['tags.read tags.write'], ['4006 /scopes/0']],
      [[''], ['4006 /scopes/0']],
      [['tags.read', 'offline'], ['4006 /scopes/1']],
      [
        ['constructor', '__proto__', 'toString'],
        ['4006 /scopes/0', '4006 /scopes/1', '4006 /scopes/2'],
      ],
      [['tags.read', 'tags.read'], ['4001 /scopes/1']],
      [[5], ['4001 /scopes/0']],
      ['tags.read', ['4001 /scopes']],
      [{}, ['4001 /scopes']],
    ];
    for (const [scopes, faults] of cases) {
      assertFaults(await tryCreate(server, { scopes }), faults);
    }
  });

  test('scopes: the colon form is refused with the dot form', async () => {
    const answer = await tryCreate(server, { scopes: ['ai-gateway:run', 'zone:read'] });
    assertFaults(answer, ['4006 /scopes/0', '4006 /scopes/1']);
    assert.match(answer.json.errors[0].message, /write ai-gateway\.run/);
    assert.match(answer.json.errors[1].message, /zone\.read is no scope either/);
  });

  test('protocol scopes follow the grant types', async () => {
    const refresh = { grant_types: ['authorization_code', 'refresh_token'] };
    const cases: [Record<string, unknown>, string[]][] = [
      [{}, ['profile', 'email', 'openid']],
      [{ scopes: [] }, ['openid']],
      [{ scopes: ['openid', 'tags.read'] }, ['openid', 'tags.read']],
      [{ scopes: ['offline_access', 'email'] }, ['email', 'openid']],
      [{ ...refresh, scopes: ['tags.read'] }, ['tags.read', 'openid', 'offline_access']],
      [
        { ...refresh, scopes: ['offline_access', 'profile'] },
        ['offline_access', 'profile', 'openid'],
      ],
    ];
    for (const [changes, scopes] of cases) {
      assert.deepEqual((await createClient(server, changes)).scopes, scopes);
    }
  });

  test('optional_scopes: a part of scopes, without the protocol scopes', async () => {
    const scopes = ['tags.read', 'profile', 'openid'];
    const client = await createClient(server, {
      scopes,
      optional_scopes: ['profile', 'tags.read'],
    });
    assert.deepEqual(client.optional_scopes, ['profile', 'tags.read']);
    const none = await createClient(server, { scopes, optional_scopes: [] });
    assert.equal('optional_scopes' in none, false);
    const answer = await tryCreate(server, {
      grant_types: ['authorization_code', 'refresh_token'],
      scopes,
      optional_scopes: [
        'openid',
        'offline_access',
        'offline',
        'email',
        'x:y',
        'profile',
        'profile',
      ],
    });
    assertFaults(answer, [
      '4001 /optional_scopes/0',
      '4001 /optional_scopes/1',
      '4001 /optional_scopes/2',
      '4001 /optional_scopes/3',
      '4006 /optional_scopes/4',
      '4001 /optional_scopes/6',
    ]);
    const alone = await tryCreate(server, { optional_scopes: ['tags.read'] });
    assertFaults(alone, ['4001 /optional_scopes/0']);
  });

  test('addresses of pages: https, or http for loopback hosts', async () => {
    const good = [
      'https://app.example.com/logo.png',
      'https://app.example.com/legal#privacy',
      'http://localhost:3000/logo.png',
      'http://127.0.0.1/x',
      'http://[::1]/x',
      'https://app.example.com/'.padEnd(2_047, 'a'),
      'https://app.example.com/'.padEnd(2_048, 'a'),
    ];
    for (const uri of good) {
      const client = await createClient(server, Object.fromEntries(WEB_URIS.map((f) => [f, uri])));
      for (const field of WEB_URIS) assert.equal(client[field], uri);
    }
    const bad = [
      'http://app.example.com/logo.png',
      '/logo.png',
      '//app.example.com/logo.png',
      'app.example.com',
      'https:app.example.com',
      'https://user@app.example.com/',
      'https://app.example.com\\@evil.example',
      'https://app.exam\tple.com/',
      'https://app。example.com/',
      'https://app.example.com/ü',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'com.example.app:/logo',
      ' ',
      'https://app.example.com/'.padEnd(2_049, 'a'),
      5,
      [],
    ];
    for (const uri of bad) {
      assertFaults(
        await tryCreate(server, Object.fromEntries(WEB_URIS.map((field) => [field, uri]))),
        WEB_URIS.map((field) => `4001 /${field}`),
      );
    }
  });

  test('allowed_cors_origins: exactly as browsers write them', async () => {
    const good = [
      'https://app.example.com',
      'https://app.example.com:8443',
      'http://localhost:3000',
      'http://127.0.0.1',
      'https://[2001:db8::1]',
    ];
    const client = await createClient(server, { allowed_cors_origins: good });
    assert.deepEqual(client.allowed_cors_origins, good);
    const bad = [
      '*',
      'null',
      '',
      'https://*.example.com',
      'https://app.example.com/',
      'https://app.example.com/path',
      'https://app.example.com?x',
      'https://app.example.com#',
      'https://App.example.com',
      'HTTPS://app.example.com',
      'https://app.example.com:443',
      'http://localhost:80',
      'http://app.example.com',
      'https://user@app.example.com',
      'https://app.example.com https://b.example.com',
      'https://app.example.com,https://b.example.com',
      'app.example.com',
      'com.example.app:/',
      'file://',
      'chrome-extension://abcdefghijklmnop',
      'https://münchen.example',
    ];
    const answer = await tryCreate(server, { allowed_cors_origins: [...bad, good[0], good[0]] });
    assertFaults(
      answer,
      [...bad.keys(), bad.length + 1].map((index) => `4001 /allowed_cors_origins/${index}`),
    );
  });

  test('allowed_cors_origins: 100, not 101', async () => {
    await createClient(server, { allowed_cors_origins: origins(100) });
    const answer = await tryCreate(server, { allowed_cors_origins: origins(101) });
    assertFaults(answer, ['4001 /allowed_cors_origins']);
  });

  test('a huge list costs one fault, not one each', async () => {
    const answer = await tryCreate(server, {
      redirect_uris: Array.from({ length: 15_000 }, () => 'x'),
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.json.errors.length, 101);
  });
});
