import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import {
  type JSONWebKeySet,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
} from 'jose';
import { createSigningKey } from '../../src/oauth/oidc/create-signing-key.ts';
import { addKeyRetirement } from '../../src/oauth/oidc/retire-keys.ts';
import { rotateSigningKeys } from '../../src/oauth/oidc/rotate-keys.ts';
import { insertSigningKey } from '../../src/oauth/oidc/signing-key-store.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { bootWithKeys, fetchKeys, masterKey } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, createDataDir, newInstallation, request } from '../support/server.ts';

const MINUTE_MS = 60_000;

const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid;

const kidsOf = ({ keys }: JSONWebKeySet, alg = 'ES256') =>
  keys.filter((key) => key.alg === alg).map(({ kid }) => kid);

/** Whether a client that has just read the keys takes the token. */
async function isTaken(server: TestServer, jwt: string): Promise<boolean> {
  const find = createLocalJWKSet(await fetchKeys(server));
  return compactVerify(jwt, find).then(
    () => true,
    () => false,
  );
}

const readRows = ({ app }: TestServer) =>
  app.database.read
    .selectFrom('oauth_signing_keys')
    .selectAll()
    .orderBy('signs_from')
    .orderBy('id')
    .execute();

/** One round of the periodic work that ends keys. */
async function retire({ app }: TestServer, clock: ManualClock): Promise<void> {
  const work = new PeriodicWork(app.database, clock, (error) => {
    throw error;
  });
  addKeyRetirement(work, app.database, clock);
  // The server's own first round may hold the lease.
  await eventually('a round', () => work.runNow('oauth-signing-keys'));
  await work.stop();
}

onEachDatabase((database) => {
  test('a key is made when it is needed, and served without its private half', async (t) => {
    const { server } = await bootWithKeys(database);
    t.after(() => server.stop());
    assert.deepEqual(await readRows(server), []);
    const answer = await request('GET', `${server.origin}/.well-known/jwks.json`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    const { keys } = answer.json as JSONWebKeySet;
    assert.deepEqual(
      keys
        .map((key) => `${key.alg} ${key.kty} ${key.use}: ${Object.keys(key).sort().join()}`)
        .sort(),
      ['ES256 EC sig: alg,crv,kid,kty,use,x,y', 'RS256 RSA sig: alg,e,kid,kty,n,use'],
    );
    for (const key of keys) assert.equal(key.kid, await calculateJwkThumbprint(key));
    const modulus = keys.find(({ alg }) => alg === 'RS256')?.n ?? '';
    assert.equal(Buffer.from(modulus, 'base64url').length * 8, 2_048);
    assert.deepEqual(await fetchKeys(server), { keys });
  });

  test('the private half is sealed', async (t) => {
    const { server, keys } = await bootWithKeys(database);
    t.after(() => server.stop());
    await Promise.all([keys.sign('ES256', {}), keys.sign('RS256', {}), keys.sign('ES256', {})]);
    const rows = await readRows(server);
    assert.deepEqual(rows.map(({ alg }) => alg).sort(), ['ES256', 'RS256']);
    for (const row of rows) {
      const sealer = masterKey.sealer('oauth_signing_key');
      const { d } = JSON.parse(sealer.open(row.private_jwk, row.id)) as { d: string };
      assert.ok(d.length > 40);
      assert.equal(JSON.stringify(row).includes(d), false);
      assert.equal('d' in (JSON.parse(row.public_jwk) as object), false);
      assert.throws(() => sealer.open(row.private_jwk, 'another key'));
    }
  });

  test('the next start signs with the same key', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const first = await bootWithKeys(database, { dataDir });
    t.after(() => first.server.stop());
    const jwks = await fetchKeys(first.server);
    if (database === 'sqlite') await first.server.stop();
    const { server } = await bootWithKeys(database, { dataDir, besides: first.server });
    t.after(() => server.stop());
    assert.deepEqual(await fetchKeys(server), jwks);
  });

  test('a rotation publishes first and signs later; what was signed before stays good', async (t) => {
    const clock = new ManualClock();
    const { server, keys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const before = await keys.sign('ES256', { a: 1 });
    const old = kidOf(before);
    const [next] = await rotateSigningKeys(server.app.database, clock, masterKey, false);
    assert.ok(next !== undefined);
    assert.equal(next.signsFromMs, clock.now() + 10 * MINUTE_MS);
    assert.deepEqual(kidsOf(await fetchKeys(server)), [old, next.id]);

    clock.advance(10 * MINUTE_MS - 1);
    const late = await keys.sign('ES256', {});
    assert.equal(kidOf(late), old);
    clock.advance(1);
    assert.equal(kidOf(await keys.sign('ES256', {})), next.id);

    // An hour for the last ID token, and ten minutes for clocks that differ.
    clock.advance(70 * MINUTE_MS - 1);
    await retire(server, clock);
    assert.deepEqual(kidsOf(await fetchKeys(server)), [old, next.id]);
    assert.deepEqual([await isTaken(server, before), await isTaken(server, late)], [true, true]);
    assert.deepEqual(await keys.verify(before), { a: 1 });
    clock.advance(1);
    assert.deepEqual(kidsOf(await fetchKeys(server)), [next.id]);
    assert.equal(await isTaken(server, before), false);
    assert.equal(await keys.verify(before), undefined);
    await retire(server, clock);
    const left = (await readRows(server)).filter(({ alg }) => alg === 'ES256');
    assert.deepEqual(
      left.map(({ id }) => id),
      [next.id],
    );
  });

  test('a compromised key is gone at once, and its tokens are worth nothing', async (t) => {
    const clock = new ManualClock();
    const { server, keys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const before = await keys.sign('ES256', {});
    await keys.sign('RS256', {});
    await rotateSigningKeys(server.app.database, clock, masterKey, false);
    const created = await rotateSigningKeys(server.app.database, clock, masterKey, true);
    // A key that was to sign next may be known to others too.
    assert.deepEqual(
      (await fetchKeys(server)).keys.map(({ kid = '' }) => kid).sort(),
      created.map(({ id }) => id).sort(),
    );
    assert.equal(await isTaken(server, before), false);
    assert.equal(await keys.verify(before), undefined);
    for (const alg of ['ES256', 'RS256'] as const) {
      const expected = created.find((key) => key.alg === alg)?.id;
      assert.equal(kidOf(await keys.sign(alg, {})), expected);
    }
    assert.equal((await readRows(server)).length, 2);
    // A server whose clock is behind does not fall back on an old one either.
    clock.advance(-MINUTE_MS);
    assert.equal((await fetchKeys(server)).keys.length, 2);
  });

  test('where no key was needed yet there is nothing to rotate', async (t) => {
    const clock = new ManualClock();
    const { server } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    assert.deepEqual(await rotateSigningKeys(server.app.database, clock, masterKey, true), []);
    assert.deepEqual(await readRows(server), []);
  });

  test('of two keys made at the same time one signs, and the other ends', async (t) => {
    const clock = new ManualClock();
    const { server, keys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const nowMs = clock.now();
    const made = await Promise.all(
      [1, 2].map(() => createSigningKey(masterKey, 'ES256', nowMs, nowMs)),
    );
    await server.app.database.transaction(async (tx) => {
      for (const key of made) await insertSigningKey(tx, key);
    });
    const [loser = '', winner = ''] = made.map(({ id }) => id).sort();
    assert.equal(kidOf(await keys.sign('ES256', {})), winner);
    await retire(server, clock);
    assert.deepEqual(kidsOf(await fetchKeys(server)), [loser, winner]);
    clock.advance(MINUTE_MS);
    await retire(server, clock);
    // The second round does not put the end off.
    clock.advance(69 * MINUTE_MS);
    assert.deepEqual(kidsOf(await fetchKeys(server)), [winner]);
    assert.equal(kidOf(await keys.sign('ES256', {})), winner);
  });

  test('a clock that is behind does not make another key', async (t) => {
    const clock = new ManualClock();
    const { server, keys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const first = kidOf(await keys.sign('ES256', {}));
    clock.advance(-MINUTE_MS);
    assert.equal(kidOf(await keys.sign('ES256', {})), first);
  });

  test('only what one of our keys has signed is verified', async (t) => {
    const { server, keys } = await bootWithKeys(database);
    t.after(() => server.stop());
    const jwt = await keys.sign('ES256', { sub: 'x', exp: 1 });
    assert.deepEqual(await keys.verify(jwt), { sub: 'x', exp: 1 });
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const kid = kidOf(jwt);
    const forged = {
      'another payload': `${header}.${encode({ sub: 'y' })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'alg none': `${encode({ alg: 'none', kid })}.${payload}.`,
      'alg none with the signature': `${encode({ alg: 'none', kid })}.${payload}.${signature}`,
      'another alg': `${encode({ alg: 'RS256', kid })}.${payload}.${signature}`,
      'an unknown key': `${encode({ alg: 'ES256', kid: 'x' })}.${payload}.${signature}`,
      'no key named': `${encode({ alg: 'ES256' })}.${payload}.${signature}`,
      'critical extension': `${encode({ alg: 'ES256', kid, crit: ['x'], x: 1 })}.${payload}.${signature}`,
      'no JWT': 'x',
      'five parts': `${jwt}.a.b`,
      empty: '',
      'longer than a form': 'x'.repeat(20_000),
    };
    for (const [what, text] of Object.entries(forged)) {
      assert.equal(await keys.verify(text), undefined, what);
    }
  });
});

test('two nodes make one key between them, and both hear of a rotation', async (t) => {
  const one = await bootWithKeys('postgres');
  t.after(() => one.server.stop());
  const two = await bootWithKeys('postgres', {
    besides: { ...newInstallation(one.server.postgresUrl ?? ''), ...one.server },
  });
  t.after(() => two.server.stop());
  const nodes = [one, two];
  await Promise.all(nodes.map(({ keys }) => keys.sign('ES256', {})));
  const agree = async (): Promise<string | undefined> => {
    const kids = await Promise.all(
      nodes.map(async ({ keys }) => kidOf(await keys.sign('ES256', {}))),
    );
    return kids[0] === kids[1] ? kids[0] : undefined;
  };
  await eventually('the nodes agree', async () => (await agree()) !== undefined);
  const { database } = one.server.app;
  const [next] = await rotateSigningKeys(database, { now: () => Date.now() }, masterKey, true);
  await eventually('both sign with the new key', async () => (await agree()) === next?.id);
  for (const { server } of nodes) {
    await eventually(
      'both show the new key alone',
      async () => kidsOf(await fetchKeys(server)).join() === next?.id,
    );
  }
});
