import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type CheckedClient,
  type CheckingServer,
  type Verdict,
  authorizationUrl,
  checkAuthorizationUrl,
} from '../../dashboard/src/lib/authorization-url.ts';
import { permissions } from '../../src/iam/permissions.ts';
import { authFields, signedIn } from '../oauth/authorizing.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { createPkce } from '../support/authorizations.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import type { Visitor } from '../support/visitor.ts';

const WITH_QUERY = 'https://app.example.com/callback?a=1&b=2';
const CALLBACK = 'https://app.example.com/callback';

let server: TestServer;
let visitor: Visitor;
/** With a secret, and without one. */
let secret: Json;
let open: Json;
const clock = new ManualClock();
const { challenge } = createPkce();

before(async () => {
  server = await bootServer('sqlite', { clock });
  ({ visitor } = await signedIn(server, clock));
  const scopes = ['tags.read', 'tags.write', 'email'];
  const redirectUris = [CALLBACK, WITH_QUERY, 'http://localhost:3000/cb'];
  secret = await createClient(server, { scopes, redirect_uris: redirectUris });
  open = await createClient(server, {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    scopes,
    redirect_uris: [CALLBACK, 'http://127.0.0.1/cb'],
  });
});
after(() => server.stop());

function checkingServer(): CheckingServer {
  return {
    issuer: server.origin,
    resourceServers: [`${server.origin}/client/v4`, server.origin],
    knownScopes: permissions.map(({ slug }) => slug),
  };
}

function checkedClient(client: Json): CheckedClient {
  return {
    id: client.client_id,
    authMethod: client.token_endpoint_auth_method,
    redirectUris: client.redirect_uris,
    scopes: client.scopes,
    hasRefreshTokens: client.grant_types.includes('refresh_token'),
  };
}

/** What the server really does, and what it says about it. */
async function ask(url: string): Promise<[answer: string, words: string]> {
  const path = url.slice(new URL(url).origin.length);
  const answer = await visitor.open(path.split('#')[0] ?? '');
  const location = answer.headers.get('location') ?? '';
  if (location.startsWith('/')) return ['continues', ''];
  if (answer.status === 400) return ['page', answer.text];
  if (answer.status !== 303) return ['elsewhere', answer.text];
  const { searchParams } = new URL(location);
  return [searchParams.get('error') ?? 'continues', searchParams.get('error_description') ?? ''];
}

/** The verdict on an address, which must be that of the server. */
async function judge(url: string, client: Json): Promise<Verdict> {
  const verdict = checkAuthorizationUrl(url, checkedClient(client), checkingServer());
  const [answer, words] = await ask(url);
  assert.equal(verdict.answer, answer, `${url}: ${words} ${JSON.stringify(verdict.findings)}`);
  const [first] = verdict.findings;
  // What is found first is what the server names.
  if (answer !== 'continues' && answer !== 'elsewhere') {
    const named = first?.parameter ?? '';
    assert.ok(words.includes(named) || answer === 'invalid_scope', `${named}: ${words}`);
  }
  return verdict;
}

/** An address that differs from a good one. */
function url(client: Json, changes: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams(authFields(client, changes)).toString();
  return `${server.origin}/oauth2/auth?${query}`;
}

type Changes = Record<string, string | undefined>;
type Which = 'secret' | 'open';

const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };
const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

/** The client, what is changed, the parameter that is at fault, and what is said about it. */
const cases: [Which, Changes, string | undefined, RegExp?][] = [
  ['open', {}, undefined],
  ['secret', S256, undefined],
  ['secret', { client_id: undefined }, 'client_id', /missing/],
  ['secret', { client_id: '' }, 'client_id', /missing/],
  ['secret', { client_id: 'f'.repeat(32) }, 'client_id', /not the ID of this client/],
  ['secret', { redirect_uri: undefined }, 'redirect_uri', /Send one of the registered/],
  ['secret', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri', /slash/],
  ['secret', { redirect_uri: CALLBACK.replace('https', 'http') }, 'redirect_uri', /https/],
  ['secret', { redirect_uri: CALLBACK.toUpperCase() }, 'redirect_uri', /case/],
  ['secret', { redirect_uri: `${CALLBACK}?x=1` }, 'redirect_uri', /query is part of the URI/],
  ['secret', { redirect_uri: encodeURIComponent(CALLBACK) }, 'redirect_uri', /encoded twice/],
  ['secret', { redirect_uri: 'https://evil.example/' }, 'redirect_uri', /register this one/],
  ['secret', { redirect_uri: 'http://localhost:3000/cb' }, undefined],
  ['secret', { redirect_uri: 'http://localhost:3001/cb' }, 'redirect_uri', /including the port/],
  ['secret', { redirect_uri: 'http://127.0.0.1:3000/cb' }, 'redirect_uri', /are different hosts/],
  ['open', { redirect_uri: 'http://127.0.0.1:50123/cb' }, undefined],
  ['open', { redirect_uri: 'http://127.0.0.1:65536/cb' }, 'redirect_uri'],
  ['open', { redirect_uri: 'http://127.0.0.1:050/cb' }, 'redirect_uri'],
  ['open', { redirect_uri: 'http://localhost:50123/cb' }, 'redirect_uri', /are different hosts/],
  ['open', { redirect_uri: 'http://127.0.0.1:1/other' }, 'redirect_uri', /register this one/],
  ['secret', { request: 'e30.e30.' }, 'request', /not supported/],
  ['secret', { request_uri: 'https://x.example' }, 'request_uri', /push/],
  ['secret', { registration: '{}' }, 'registration'],
  ['secret', { response_type: undefined }, 'response_type', /missing/],
  ['secret', { response_type: 'token' }, 'response_type', /token/],
  ['secret', { response_type: 'code id_token' }, 'response_type'],
  ['secret', { response_mode: 'fragment' }, 'response_mode', /form_post/],
  ['secret', { response_mode: 'form_post', ...S256 }, undefined],
  ['secret', { response_mode: 'query', ...S256 }, undefined],
  ['secret', { resource: 'https://x.example/' }, 'resource', /x\.example/],
  ['open', NO_PKCE, 'code_challenge', /must use PKCE/],
  ['secret', NO_PKCE, undefined],
  ['secret', { code_challenge_method: 'S256' }, 'code_challenge', /no code_challenge/],
  ['open', { code_challenge_method: undefined }, 'code_challenge_method', /would default to plain/],
  ['open', { code_challenge_method: 'plain' }, 'code_challenge_method', /can read the verifier/],
  ['open', { code_challenge_method: 's256' }, 'code_challenge_method'],
  ['open', { ...S256, code_challenge: `${challenge}=` }, 'code_challenge', /padding/],
  ['open', { ...S256, code_challenge: challenge.slice(1) }, 'code_challenge', /42 characters/],
  [
    'open',
    { ...S256, code_challenge: `${challenge.slice(1)}~` },
    'code_challenge',
    /are not base64url/,
  ],
  ['secret', { scope: undefined, ...S256 }, undefined],
  ['secret', { scope: '  ' }, 'scope', /is empty/],
  ['secret', { scope: 'openid no.such' }, 'scope', /no\.such/],
  ['secret', { scope: 'tags:read' }, 'scope', /Write tags\.read/],
  ['secret', { scope: 'no:such' }, 'scope', /no\.such doesn't exist either/],
  ['secret', { scope: 'tags.read,tags.write' }, 'scope', /not commas/],
  ['secret', { scope: 'TAGS.READ' }, 'scope', /Write tags\.read/],
  ['secret', { scope: 'members.read' }, 'scope', /add it to the scopes/],
  ['secret', { scope: 'offline_access' }, 'scope', /none of these/],
  ['secret', { scope: 'openid offline_access phone', ...S256 }, undefined],
  ['open', { scope: 'offline_access' }, undefined],
  ['secret', { state: undefined, ...S256 }, undefined],
  ['secret', { nonce: 'a\u0001b' }, 'nonce'],
  ['secret', { prompt: 'none login' }, 'prompt', /cannot be combined/],
  ['secret', { prompt: 'login nonsense' }, 'prompt', /is not supported/],
  ['secret', { max_age: '-1' }, 'max_age'],
  ['secret', { max_age: '10000000000' }, 'max_age'],
  ['secret', { max_age: '0', ...S256 }, undefined],
  ['secret', { login_hint: 'a'.repeat(300), ...S256 }, undefined],
  ['secret', { id_token_hint: 'e30.e30.e30' }, 'id_token_hint'],
];

for (const [which, changes, parameter, words] of cases) {
  test(`${which} client, ${JSON.stringify(changes).slice(0, 90)}`, async () => {
    const client = which === 'open' ? open : secret;
    const { findings } = await judge(url(client, changes), client);
    const [fault] = findings.filter(({ answer }) => answer !== undefined);
    assert.equal(fault?.parameter, parameter);
    if (words !== undefined) assert.match(`${fault?.problem} ${fault?.mend}`, words);
  });
}

test('what is given twice', async () => {
  for (const [name, value] of [
    ['client_id', 'x'],
    ['redirect_uri', 'x'],
    ['state', 'x'],
    ['scope', 'openid'],
    ['anything', 'x'],
  ]) {
    const twice = `${url(secret, { anything: '1' })}&${name}=${value}`;
    const { findings } = await judge(twice, secret);
    assert.match(findings[0]?.problem ?? '', new RegExp(`^${name} must not be repeated`));
  }
  const several = `&resource=${encodeURIComponent(server.origin)}%2F&resource=${server.origin}`;
  await judge(url(secret) + several, secret);
});

test('an address that leads elsewhere', async () => {
  const good = url(secret);
  for (const path of ['/oauth2/authorize', '/oauth2/auth/', '/OAuth2/auth', '/authorize']) {
    const { findings } = await judge(good.replace('/oauth2/auth', path), secret);
    assert.match(findings[0]?.mend ?? '', /\/oauth2\/auth\.$/);
  }
  const check = (text: string): Verdict =>
    checkAuthorizationUrl(text, checkedClient(secret), checkingServer());
  for (const text of [
    good.replace('http:', 'https:'),
    good.replace('127.0.0.1', 'localhost'),
    good.slice(server.origin.length),
    'client_id=x',
    'nonsense',
    '',
  ]) {
    assert.equal(check(text).answer, 'elsewhere', text);
  }
  // What it says is looked at all the same.
  const parameters = check('/oauth2/auth?client_id=x').findings.map(({ parameter }) => parameter);
  assert.ok(parameters.includes('client_id') && parameters.includes('redirect_uri'));
});

test('every fault is told at once, and advice after the faults', async () => {
  const bad = url(open, {
    redirect_uri: 'https://evil.example/',
    response_type: 'token',
    scope: 'tags:read members.read',
    state: undefined,
    ...NO_PKCE,
    prompt: 'none login',
  });
  const { findings } = await judge(bad, open);
  assert.deepEqual(
    findings.map(({ parameter }) => parameter),
    ['redirect_uri', 'response_type', 'code_challenge', 'scope', 'scope', 'prompt', 'state'],
  );
  assert.deepEqual(
    findings.map(({ answer }) => answer),
    [
      'page',
      'unsupported_response_type',
      'invalid_request',
      'invalid_scope',
      'invalid_scope',
      'invalid_request',
      undefined,
    ],
  );
});

test('the registered address that is nearest, and where they part', async () => {
  const { findings } = await judge(url(secret, { redirect_uri: `${CALLBACK}s?a=1&b=2` }), secret);
  assert.deepEqual(findings[0]?.difference, {
    start: CALLBACK,
    asked: 's',
    registered: '',
    end: '?a=1&b=2',
  });
});

test('how an address is written', async () => {
  const good = url(secret, S256);
  const advised = async (text: string): Promise<string> => {
    const { findings } = await judge(text, secret);
    return findings.map(({ problem, mend }) => `${problem} ${mend}`).join(' ');
  };
  assert.equal(await advised(good), '');
  assert.match(await advised(`${good}#x=1`), /never send fragments/);
  assert.match(await advised(`${good}&client_secret=x`), /contains a client secret/);
  assert.match(await advised(`${good}&state2=%zz`), /“%zz”/);
  assert.match(await advised(url(secret, { state: undefined }) + '&state=a+b'), /%2B/);
  const unencoded = `redirect_uri=${WITH_QUERY}`;
  const own = url(secret, { redirect_uri: undefined }) + '&';
  assert.match(await advised(own + unencoded), /Encode it as %26/);
  assert.match(await advised(good.replaceAll('&', '&amp;')), /written for HTML/);
  assert.match(
    await advised(url(secret, { scope: undefined, scopes: 'x' })),
    /correct name is scope/,
  );
  const verdict = checkAuthorizationUrl(
    `${good}&x=a b\n`.replace('tags', 'ü'),
    checkedClient(secret),
    checkingServer(),
  );
  assert.match(verdict.findings.map(({ problem }) => problem).join(), /: ü, a space/);
});

test('a request that is too long, to the byte', async () => {
  let [fits, tooLong] = [1_000, 7_000];
  const answerOf = (length: number): string =>
    checkAuthorizationUrl(
      url(secret, { state: 'a'.repeat(length) }),
      checkedClient(secret),
      checkingServer(),
    ).answer;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (answerOf(middle) === 'continues') fits = middle;
    else tooLong = middle;
  }
  await judge(url(secret, { state: 'a'.repeat(fits) }), secret);
  await judge(url(secret, { state: 'a'.repeat(tooLong) }), secret);
});

test('a request that was pushed is known by its name alone', () => {
  const pushed = `${server.origin}/oauth2/auth?client_id=${secret.client_id}&request_uri=urn:ietf:params:oauth:request_uri:x`;
  const verdict = checkAuthorizationUrl(pushed, checkedClient(secret), checkingServer());
  assert.deepEqual([verdict.answer, verdict.findings], ['pushed', []]);
});

test('what is built here passes', async () => {
  for (const client of [secret, open]) {
    const built = authorizationUrl(server.origin, {
      client_id: client.client_id,
      redirect_uri: client === secret ? WITH_QUERY : 'http://127.0.0.1:4000/cb',
      scope: 'openid tags.read',
      state: 'a b+c&d=e#f%',
      nonce: 'n',
      code_challenge: challenge,
      prompt: 'consent',
      login_hint: 'ada@example.com',
      max_age: '',
    });
    const verdict = await judge(built, client);
    assert.deepEqual(verdict.findings, []);
    assert.equal(verdict.sent.get('state'), 'a b+c&d=e#f%');
  }
});
