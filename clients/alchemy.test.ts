import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Json, type TestServer, bootServer } from '../test/support/server.ts';
import { runProgram } from './bench.ts';

let server: TestServer;
let home: string;
before(async () => {
  server = await bootServer('sqlite');
  home = await mkdtemp(path.join(tmpdir(), 'latchkey-alchemy-'));
});
after(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/** Runs the program with a lifetime of the cache, which is part of both resources. */
async function apply(cacheTtl: number): Promise<Json> {
  const program = path.join(import.meta.dirname, 'alchemy-program.js');
  const output = await runProgram([process.execPath, program], {
    cwd: home,
    home,
    env: {
      CI: 'true',
      ALCHEMY_TELEMETRY_DISABLED: 'true',
      ALCHEMY_CI_STATE_STORE_CHECK: 'false',
      CLOUDFLARE_BASE_URL: server.baseUrl,
      CLOUDFLARE_API_TOKEN: server.token,
      CLOUDFLARE_ACCOUNT_ID: server.accountId,
      ACCOUNT: server.accountId,
      CACHE_TTL: String(cacheTtl),
    },
  });
  const line = output.split('\n').find((one) => one.startsWith('RESULT '));
  return JSON.parse(line?.slice('RESULT '.length) ?? 'null');
}

async function read(section: string): Promise<Json> {
  const { status, json, text: body } = await server.call('GET', server.account + section);
  assert.equal(status, 200, body);
  return json.result;
}

test('resources are created, updated and left alone', async () => {
  const created = await apply(60);
  assert.equal((await read(`/ai-gateway/gateways/${created.gateway}`)).cache_ttl, 60);
  const token = await read(`/tokens/${created.token}`);
  const [policy] = token.policies;
  assert.deepEqual(
    policy.permission_groups.map(({ name }: Json) => name),
    ['AI Gateway Read', 'AI Gateway Write', 'Account Settings Read'],
  );
  // As it was sent, so that the tool finds no difference.
  assert.equal(policy.permission_groups[0].id, '4dc8917b4b40457d88d3035d5dadb054');
  assert.deepEqual(Object.keys(policy.resources), [
    `com.cloudflare.api.account.${server.accountId}`,
  ]);

  const updated = await apply(120);
  assert.deepEqual(updated, created);
  assert.equal((await read(`/ai-gateway/gateways/${created.gateway}`)).cache_ttl, 120);
  assert.equal((await read(`/tokens/${created.token}`)).name, 'alchemy 120');
  const { modified_at: modifiedAt } = await read(`/ai-gateway/gateways/${created.gateway}`);
  await apply(120);
  assert.equal((await read(`/ai-gateway/gateways/${created.gateway}`)).modified_at, modifiedAt);
});
