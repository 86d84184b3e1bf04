import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { jwtVerify } from 'jose';
import { AccessTokens } from '../../src/gateway/providers/google-vertex-ai/access-tokens.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' });
const NOW_MS = 1_800_000_000_000;

let upstream: Upstream;
let origin: string;
before(async () => {
  upstream = await startUpstream('gemini-upstream.ts');
  ({ origin } = new URL(upstream.baseUrl));
});
after(() => upstream.stop());

/** The key of a service account; what becomes of it, its name decides. */
function serviceAccount(name: string, fields: object = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'project-1',
    private_key_id: 'kid-1',
    private_key: PEM,
    client_email: `${name}@project-1.iam.gserviceaccount.com`,
    token_uri: `${origin}/token`,
    ...fields,
  });
}

const exchanges = async () =>
  (await upstream.recorded()).filter(({ url }) => url === '/token').map(({ body }) => body);

test('a key is exchanged by an assertion that it has signed', async () => {
  const token = await new AccessTokens(origin).get(serviceAccount('a'), NOW_MS);
  assert.match(token, /^ya29\.\d+$/);
  const form = new URLSearchParams((await exchanges()).at(-1));
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
    currentDate: new Date(NOW_MS),
  });
  assert.deepEqual(protectedHeader, { alg: 'RS256', typ: 'JWT', kid: 'kid-1' });
  assert.deepEqual(payload, {
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    iss: 'a@project-1.iam.gserviceaccount.com',
    aud: `${origin}/token`,
    iat: NOW_MS / 1_000,
    exp: NOW_MS / 1_000 + 3_600,
  });
});

test('a token is kept until a minute before its end', async () => {
  const tokens = new AccessTokens(origin);
  const key = serviceAccount('b');
  const first = await tokens.get(key, NOW_MS);
  const lastMs = NOW_MS + (3_599 - 60) * 1_000 - 1;
  assert.equal(tokens.get(key, lastMs), first);
  assert.notEqual(await tokens.get(key, lastMs + 1), first);
});

test('however many wait for a token, it is fetched once; each key has its own', async () => {
  const tokens = new AccessTokens(origin);
  const before = (await exchanges()).length;
  const [first, second, other] = await Promise.all([
    tokens.get(serviceAccount('c'), NOW_MS),
    tokens.get(serviceAccount('c'), NOW_MS),
    tokens.get(serviceAccount('d'), NOW_MS),
  ]);
  assert.equal(first, second);
  assert.notEqual(first, other);
  assert.equal((await exchanges()).length, before + 2);
});

test('a failure is not kept', async () => {
  const tokens = new AccessTokens(origin);
  const before = (await exchanges()).length;
  for (let time = 0; time < 2; time++) {
    await assert.rejects(async () => tokens.get(serviceAccount('refused'), NOW_MS));
  }
  assert.equal((await exchanges()).length, before + 2);
});

for (const [name, fields, message] of [
  [
    'refused',
    {},
    /rejected the service account with status 400: invalid_grant: Invalid JWT Signature\.$/,
  ],
  ['endless', {}, /is too large/],
  ['empty', {}, /has no access token/],
  ['split', {}, /has no access token/],
  ['no private key', { private_key: undefined }, /not a service account key/],
  ['no address', { client_email: 5 }, /not a service account key/],
  ['not a PEM', { private_key: 'secret-text' }, /not an RSA key in PKCS #8$/],
  ['an address elsewhere', { token_uri: 'http://169.254.169.254/token' }, /token_uri/],
  ['no token address', { token_uri: 'token' }, /token_uri/],
] as const) {
  test(`what is wrong is said: ${name}`, async () => {
    const key = serviceAccount(name, fields);
    await assert.rejects(async () => new AccessTokens(origin).get(key, NOW_MS), message);
  });
}

test('a text that is not JSON is said to be none', async () => {
  await assert.rejects(async () => new AccessTokens(origin).get('{', NOW_MS), /service account/);
});

test("without an address of the operator's own, keys go to Google only", async () => {
  const before = (await exchanges()).length;
  const key = serviceAccount('a');
  await assert.rejects(async () => new AccessTokens(undefined).get(key, NOW_MS), /token_uri/);
  assert.equal((await exchanges()).length, before);
});
