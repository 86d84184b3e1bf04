import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CacheKeyParts, cacheKeyOf } from '../../src/gateway/response/cache/cache-key.ts';

const PARTS: CacheKeyParts = {
  accountId: 'account',
  gatewayId: 'default',
  generation: 1,
  identity: { caller: { tokenId: 'token', userId: null }, providerKey: undefined },
  provider: 'openai',
  method: 'POST',
  path: '/v1/chat/completions',
  shape: 'chat/completions',
  headers: [],
  body: Buffer.from('{"model":"gpt"}'),
  customKey: undefined,
};

const withIdentity = (identity: Partial<CacheKeyParts['identity']>) => ({
  identity: { ...PARTS.identity, ...identity },
});

test('the same parts make the same key', async () => {
  const copy = { ...PARTS, body: Buffer.from(PARTS.body) };
  assert.equal(await cacheKeyOf(copy), await cacheKeyOf(PARTS));
});

const others: [string, Partial<CacheKeyParts>][] = [
  ['account', { accountId: 'other' }],
  ['gateway', { gatewayId: 'other' }],
  ['generation', { generation: 2 }],
  ['token', withIdentity({ caller: { tokenId: 'other', userId: null } })],
  ['person', withIdentity({ caller: { tokenId: 'token', userId: 'user' } })],
  ['person in place of the token', withIdentity({ caller: { tokenId: null, userId: 'token' } })],
  ['caller, who is nobody', withIdentity({ caller: { tokenId: null, userId: null } })],
  ['own credential', { headers: ['authorization', 'Bearer a'] }],
  ['key of this server', withIdentity({ providerKey: 'key' })],
  ['empty key of this server', withIdentity({ providerKey: '' })],
  ['provider', { provider: 'groq' }],
  ['method', { method: 'PUT' }],
  ['path', { path: '/v1/chat/completions?a=b' }],
  ['shape', { shape: 'messages' }],
  ['header', { headers: ['anthropic-beta', 'a'] }],
  ['body', { body: Buffer.from('{"model":"gpt2"}') }],
  ['custom key', { customKey: '' }],
  ['custom key that reads like the body', { customKey: '{"model":"gpt"}' }],
];
test('any other part makes another key', async () => {
  const keys = await Promise.all(
    [PARTS, ...others.map(([, part]) => ({ ...PARTS, ...part }))].map(async (one) =>
      cacheKeyOf(one),
    ),
  );
  const names = ['the same', ...others.map(([name]) => name)];
  keys.forEach((key, index) => {
    assert.equal(keys.indexOf(key), index, `another ${names[index]} makes a key of its own`);
  });
});

test('two people with keys of their own never share, even under a custom key', async () => {
  const keyOf = (secret: string) =>
    cacheKeyOf({
      ...PARTS,
      ...withIdentity({ caller: { tokenId: null, userId: null } }),
      headers: ['authorization', secret],
      customKey: 'greeting',
    });
  assert.notEqual(await keyOf('Bearer a'), await keyOf('Bearer b'));
});

test('parts do not run together', async () => {
  const pairs: [Partial<CacheKeyParts>, Partial<CacheKeyParts>][] = [
    [
      { accountId: 'a', gatewayId: 'bc' },
      { accountId: 'ab', gatewayId: 'c' },
    ],
    [
      { provider: 'a', method: '1:b' },
      { provider: 'a1:b', method: '' },
    ],
    [{ headers: ['a', 'b'] }, { headers: ['a', 'b', '', ''] }],
    [{ headers: ['a'] }, withIdentity({ providerKey: 'a' })],
  ];
  for (const [one, another] of pairs) {
    assert.notEqual(
      await cacheKeyOf({ ...PARTS, ...one }),
      await cacheKeyOf({ ...PARTS, ...another }),
    );
  }
});

test('a custom key stands for the body', async () => {
  const keyOf = (body: string) =>
    cacheKeyOf({ ...PARTS, customKey: 'mine', body: Buffer.from(body) });
  assert.equal(await keyOf('a'), await keyOf('b'));
});

const STRETCH_BYTES = 1024 * 1024;
test('a large body is hashed in stretches, and others have their turn between them', async () => {
  const keyOf = (bytes: number, last = 0) => {
    const body = Buffer.alloc(bytes, 'x');
    body[bytes - 1] = last;
    return cacheKeyOf({ ...PARTS, body });
  };
  assert.notEqual(await keyOf(STRETCH_BYTES + 1), await keyOf(STRETCH_BYTES + 1, 1));
  let turns = 0;
  const hashing = keyOf(5 * STRETCH_BYTES);
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await hashing;
  clearImmediate(next);
  assert.ok(turns >= 3, `others had ${turns} turns`);
});
