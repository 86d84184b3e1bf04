import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import Cloudflare from 'cloudflare';
import { eventually } from '../support/eventually.ts';
import { allowPolicy, bootServer } from '../support/server.ts';

const run = promisify(execFile);
const TSC = path.join(import.meta.dirname, 'node_modules/typescript/bin/tsc');
const TIMEOUT_MS = 180_000;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
  },
  files: ['recorded.ts'],
};

// Recorded values are constants, which may have members that the client does not declare.
const PROGRAM = `import type Cloudflare from 'cloudflare';
declare const client: Cloudflare;
declare function check<Declared>(recorded: Declared): void;
type Mutable<Value> = { -readonly [Key in keyof Value]: Mutable<Value[Key]> };
declare function mutable<const Value>(value: Value): Mutable<Value>;
type Result<Method extends (...parameters: never[]) => unknown> = Awaited<ReturnType<Method>>;
type List<Method extends (...parameters: never[]) => unknown> =
  Result<Method> extends { result: infer Items } ? Items : never;
`;

/**
 * Leaves out what differs on purpose: roles have the permissions of this server, and audit logs name the kind of
 * credential.
 */
function compared(name: string, value: unknown): unknown {
  if (name === 'permissions' && !Array.isArray(value)) return {};
  return name === 'actor' ? { ...(value as object), type: undefined, context: undefined } : value;
}

/** Records the responses of operations for a program that checks their types. */
class Recorder {
  readonly lines: string[] = [];

  /** @param method path of a method of the client, such as `aiGateway.get` */
  async record<Value>(method: string, response: PromiseLike<Value>): Promise<Value> {
    const value = await response;
    this.#check(`Result<typeof client.${method}>`, value);
    return value;
  }

  async list<Page extends { result: unknown }>(
    method: string,
    response: PromiseLike<Page>,
  ): Promise<Page['result']> {
    const { result } = await response;
    assert.ok(Array.isArray(result) && result.length > 0, `${method} returns an empty list`);
    this.#check(`List<typeof client.${method}>`, result);
    return result;
  }

  #check(type: string, value: unknown): void {
    const name = `recorded${this.lines.length}`;
    const isObject = typeof value === 'object' && value !== null;
    const constant = JSON.stringify(value, compared) + (isObject ? ' as const' : '');
    this.lines.push(`const ${name} = ${constant}; check<${type}>(mutable(${name}));`);
  }
}

test('responses have the types that the cloudflare client declares', async (t) => {
  // No server listens there, so that a call fails.
  const settings = { PROVIDER_OLLAMA_BASE_URL: 'http://127.0.0.1:9', BRAND: 'cloudflare' };
  const server = await bootServer('sqlite', { settings });
  t.after(() => server.stop());
  const client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl, maxRetries: 0 });
  const recorder = new Recorder();
  const account = { account_id: server.accountId };
  await recordAccounts(recorder, client, account);
  await recordTokens(recorder, client, account);
  await recordGateways(recorder, client, account);
  await recordClients(recorder, client, account);
  await recordTags(recorder, client, account);
  assert.ok(recorder.lines.length >= 40);

  const directory = await mkdtemp(path.join(import.meta.dirname, '.generated-'));
  t.after(() => rm(directory, { recursive: true }));
  await writeFile(path.join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(path.join(directory, 'recorded.ts'), PROGRAM + recorder.lines.join('\n'));
  try {
    await run(process.execPath, [TSC], { cwd: directory, timeout: TIMEOUT_MS });
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
});

interface Account {
  account_id: string;
}

async function recordAccounts(recorder: Recorder, client: Cloudflare, account: Account) {
  const { account_id } = account;
  await recorder.list('accounts.list', client.accounts.list());
  const got = await recorder.record('accounts.get', client.accounts.get(account));
  const renamed = { account_id, id: account_id, name: 'Renamed', type: 'standard' } as const;
  await recorder.record('accounts.update', client.accounts.update({ ...got, ...renamed }));
  const roles = await recorder.list('accounts.roles.list', client.accounts.roles.list(account));
  const roleId = (roles as { id: string }[]).at(-1)?.id ?? '';
  await recorder.record('accounts.roles.get', client.accounts.roles.get(roleId, account));
  const invited = { ...account, email: 'someone@example.com', roles: [roleId] };
  const member = await recorder.record(
    'accounts.members.create',
    client.accounts.members.create(invited),
  );
  await recorder.list('accounts.members.list', client.accounts.members.list(account));
  const memberId = member.id ?? '';
  await recorder.record('accounts.members.get', client.accounts.members.get(memberId, account));
  const roleChange = { ...account, roles: [{ id: roleId }] };
  await recorder.record(
    'accounts.members.update',
    client.accounts.members.update(memberId, roleChange),
  );
  await recorder.record(
    'accounts.members.delete',
    client.accounts.members.delete(memberId, account),
  );
  const range = { ...account, since: '2020-01-01', before: '2100-01-01' };
  const rows = await recorder.list(
    'accounts.logs.audit.list',
    client.accounts.logs.audit.list(range),
  );
  const [row] = rows as { id: string; action: { time: string } }[];
  const entry = { ...range, action_time: row?.action.time ?? '' };
  await recorder.record(
    'accounts.logs.audit.history',
    client.accounts.logs.audit.history(row?.id ?? '', entry),
  );
  await recorder.list('auditLogs.list', client.auditLogs.list(range));
  const { permissionGroups } = client.iam;
  const groups = await recorder.list('iam.permissionGroups.list', permissionGroups.list(account));
  const groupId = (groups as { id: string }[])[0]?.id ?? '';
  await recorder.record('iam.permissionGroups.get', permissionGroups.get(groupId, account));
}

async function recordTokens(recorder: Recorder, client: Cloudflare, account: Account) {
  const { tokens } = client.accounts;
  const { permission_groups, resources } = allowPolicy(account.account_id, ['tags.read']);
  const policies = [{ effect: 'allow' as const, permission_groups, resources }];
  const condition = { request_ip: { in: ['127.0.0.1'] } };
  const fields = { ...account, name: 'recorded', policies, condition };
  const created = await recorder.record('accounts.tokens.create', tokens.create(fields));
  const id = created.id ?? '';
  await recorder.record('accounts.tokens.get', tokens.get(id, account));
  await recorder.list('accounts.tokens.list', tokens.list(account));
  await recorder.record('accounts.tokens.verify', tokens.verify(account));
  const changed = { ...fields, name: 'changed' };
  await recorder.record('accounts.tokens.update', tokens.update(id, changed));
  await recorder.record('accounts.tokens.value.update', tokens.value.update(id, account));
  const groups = tokens.permissionGroups;
  await recorder.list('accounts.tokens.permissionGroups.list', groups.list(account));
  await recorder.record('accounts.tokens.permissionGroups.get', groups.get(account));
  await recorder.record('accounts.tokens.delete', tokens.delete(id, account));
}

async function recordGateways(recorder: Recorder, client: Cloudflare, account: Account) {
  const { aiGateway } = client;
  const fields = {
    ...account,
    cache_invalidate_on_update: true,
    cache_ttl: 0,
    collect_logs: true,
    rate_limiting_interval: 0,
    rate_limiting_limit: 0,
  };
  await recorder.record('aiGateway.create', aiGateway.create({ ...fields, id: 'recorded' }));
  await recorder.record('aiGateway.get', aiGateway.get('recorded', account));
  await recorder.list('aiGateway.list', aiGateway.list(account));
  await recorder.record('aiGateway.update', aiGateway.update('recorded', fields));
  const place = { ...account, gateway_id: 'recorded' };
  await recorder.record('aiGateway.urls.get', aiGateway.urls.get('openai', place));
  await recorder.list('ai.models.list', client.ai.models.list(account));
  await callModel(client, account);
  const logs = await recorder.list('aiGateway.logs.list', aiGateway.logs.list('recorded', account));
  const logId = (logs as { id: string }[])[0]?.id ?? '';
  await recorder.record('aiGateway.logs.get', aiGateway.logs.get(logId, place));
  await recorder.record(
    'aiGateway.logs.edit',
    aiGateway.logs.edit(logId, { ...place, feedback: 1 }),
  );
  await recorder.record('aiGateway.logs.request', aiGateway.logs.request(logId, place));
  await recorder.record('aiGateway.logs.response', aiGateway.logs.response(logId, place));
  const key = {
    ...account,
    alias: 'main',
    default_config: true,
    provider_slug: 'openai',
    secret: 'sk-recorded-1234',
  };
  await recorder.record(
    'aiGateway.providerConfigs.create',
    aiGateway.providerConfigs.create('recorded', key as never),
  );
  await recorder.list(
    'aiGateway.providerConfigs.list',
    aiGateway.providerConfigs.list('recorded', account),
  );
  const custom = { ...account, name: 'Own', slug: 'own', base_url: 'https://api.example.com' };
  const provider = await recorder.record(
    'aiGateway.customProviders.create',
    aiGateway.customProviders.create(custom),
  );
  const providerId = (provider as { id: string }).id;
  await recorder.record(
    'aiGateway.customProviders.get',
    aiGateway.customProviders.get(providerId, account),
  );
  await recorder.list('aiGateway.customProviders.list', aiGateway.customProviders.list(account));
  await recorder.record(
    'aiGateway.customProviders.delete',
    aiGateway.customProviders.delete(providerId, account),
  );
  await recorder.record('aiGateway.delete', aiGateway.delete('recorded', account));
}

/** Makes calls with different members of the log: with and without metadata, and one that fails. */
async function callModel(client: Cloudflare, { account_id }: Account): Promise<void> {
  const url = `/accounts/${account_id}/ai/v1/chat/completions`;
  const body = { model: 'local/echo', messages: [{ role: 'user', content: 'hi' }] };
  const gateway = { 'cf-aig-gateway-id': 'recorded' };
  await client.post(url, { body, headers: { ...gateway, 'cf-aig-metadata': '{"team":"a"}' } });
  await client.post(url, { body, headers: gateway });
  const unpriced = { ...body, model: 'ollama/none' };
  await assert.rejects(client.post(url, { body: unpriced, headers: gateway }));
  await eventually('the calls are logged', async () => {
    const { result } = await client.aiGateway.logs.list('recorded', { account_id });
    return result.length === 3;
  });
}

async function recordClients(recorder: Recorder, client: Cloudflare, account: Account) {
  const { oauthClients, oauthScopes } = client.iam;
  const created = await recorder.record(
    'iam.oauthClients.create',
    oauthClients.create({
      ...account,
      client_name: 'Recorded',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://example.com/callback'],
      response_types: ['code'],
      scopes: ['account-settings.read'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  );
  const id = created.client_id;
  await recorder.record('iam.oauthClients.get', oauthClients.get(id, account));
  await recorder.list('iam.oauthClients.list', oauthClients.list(account));
  const renamed = { ...account, client_name: 'Renamed' };
  await recorder.record('iam.oauthClients.update', oauthClients.update(id, renamed));
  await recorder.record('iam.oauthClients.rotateSecret', oauthClients.rotateSecret(id, account));
  await recorder.record(
    'iam.oauthClients.deleteRotatedSecret',
    oauthClients.deleteRotatedSecret(id, account),
  );
  await recorder.record('iam.oauthClients.delete', oauthClients.delete(id, account));
  await recorder.list('iam.oauthScopes.list', oauthScopes.list());
}

async function recordTags(recorder: Recorder, client: Cloudflare, account: Account) {
  const { accountTags, keys, values } = client.resourceTagging;
  const worker = { ...account, resource_type: 'worker', resource_id: 'w' } as const;
  await recorder.record(
    'resourceTagging.accountTags.update',
    accountTags.update({ ...worker, tags: { env: 'prod' } }),
  );
  await recorder.record('resourceTagging.accountTags.get', accountTags.get(worker));
  await recorder.list('resourceTagging.keys.list', keys.list(account));
  await recorder.list('resourceTagging.values.list', values.list('env', account));
  await recorder.list('resourceTagging.list', client.resourceTagging.list(account));
}
