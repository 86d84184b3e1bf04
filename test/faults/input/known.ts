import type { Random } from '../random.ts';
import type { KnownText } from './schema.ts';
import { someTime } from './values.ts';
import type { Facts } from './world.ts';

const TYPES = [
  'worker',
  'zone',
  'worker_version',
  'image',
  'r2_bucket',
  'account',
  'ai_gateway',
  'oauth_client',
  'api_token',
];
/** Providers, most of which there are. */
export const PROVIDERS: readonly string[] = [
  'local',
  'openai',
  'anthropic',
  'google-ai-studio',
  'google-vertex-ai',
  'azure-openai',
  'aws-bedrock',
  'mistral',
  'groq',
  'deepseek',
  'xai',
  'cohere',
  'openrouter',
  'perplexity',
  'cerebras',
  'together',
  'fireworks',
  'huggingface',
  'replicate',
  'workers-ai',
  'ollama',
  'vllm',
  'grok',
  'google',
  'custom-one',
  'none',
];
/** What requests name as their model. */
export const MODELS: readonly string[] = [
  'local/echo',
  'local/echo',
  'openai/gpt-4o-mini',
  'anthropic/claude-sonnet-4-5',
  'google-ai-studio/gemini-2.5-flash',
  'aws-bedrock/a',
  '@cf/meta/llama',
  'dynamic/a',
  'local/other',
  'custom-one/a',
  'gpt-4o',
  ...PROVIDERS.map((provider) => `${provider}/model`),
];
const FILTER_KEYS = [
  'id',
  'created_at',
  'provider',
  'model',
  'model_type',
  'success',
  'cached',
  'cost',
  'tokens',
  'tokens_in',
  'duration',
  'feedback',
  'status_code',
  'metadata.key',
  'metadata.value',
  'event_id',
  'score',
  'path',
  'none',
];

/** What texts are made of. */
interface KnownFacts {
  facts: Facts;
  random: Random;
  /** Of the operation that they are for. */
  path: string;
  cursors: readonly string[];
  etags: readonly string[];
  /** The id of anything. */
  anyId: () => string;
}

/** Texts by what they are called in the API. */
export function knownTexts({ facts, random, path, cursors, etags, anyId }: KnownFacts): KnownText {
  const choices: Readonly<Record<string, () => string | undefined>> = {
    account_id: () => (random.chance(0.96) ? facts.accountId : facts.otherAccountId),
    gateway_id: () => (random.chance(0.6) ? random.pick(['default', 'open']) : undefined),
    client_id: () => (random.chance(0.7) ? facts.clientId : undefined),
    client_secret: () => facts.clientSecret,
    redirect_uri: () => facts.redirectUri,
    redirect_uris: () => facts.redirectUri,
    code: () => random.pick(facts.codes),
    grant_type: () =>
      random.pick(['authorization_code', 'refresh_token', 'client_credentials', 'urn:a']),
    grant_types: () => random.pick(['authorization_code', 'refresh_token']),
    response_type: () => 'code',
    response_types: () => 'code',
    scope: () =>
      random.pick([
        'openid tags.read',
        'openid',
        'openid offline_access',
        'tags.write',
        'none',
        '',
      ]),
    scopes: () => random.pick(['openid', 'profile', 'email', ...facts.slugs]),
    optional_scopes: () => random.pick(['profile', 'email', ...facts.slugs]),
    code_challenge_method: () => random.pick(['S256', 'plain']),
    prompt: () => random.pick(['none', 'login', 'consent', 'select_account', 'none login']),
    max_age: () => random.pick(['0', '1', '-1', '99999999999']),
    request_uri: () => 'urn:ietf:params:oauth:request_uri:a',
    claims: () => random.pick(['{}', '{"id_token":{"email":null}}', '{']),
    resource: () => random.pick(['https://a.invalid', 'a', '']),
    id: () => {
      if (path.includes('/members')) return random.pick(facts.roles);
      return path.endsWith('/{account_id}') ? facts.accountId : random.pick(facts.permissionGroups);
    },
    'response_types[]': () => '["code"]',
    'grant_types[]': () =>
      random.pick(['["authorization_code"]', '["authorization_code","refresh_token"]']),
    'redirect_uris[]': () => JSON.stringify([facts.redirectUri]),
    'allowed_cors_origins[]': () => random.pick(['[]', '["https://app.invalid"]']),
    'optional_scopes[]': () => '[]',
    'policies[]': () => (path.includes('/members') ? '[]' : undefined),
    'transports[]': () => '["usb"]',
    roles: () => random.pick(facts.roles),
    'resources.key': () =>
      random.pick([
        `com.latchkey.api.account.${facts.accountId}`,
        `com.latchkey.api.account.${facts.accountId}.ai-gateway.default`,
        'com.latchkey.api.account.*',
      ]),
    in: () => random.pick(['10.0.0.0/8', '0.0.0.0/0', '::/0', '127.0.0.1']),
    not_in: () => random.pick(['192.0.2.0/24', '2001:db8::/32']),
    email: () => `p${random.below(50)}@example.com`,
    login_hint: () => 'a@example.com',
    model: () => random.pick(MODELS),
    provider: () => random.pick(PROVIDERS),
    provider_slug: () => random.pick(PROVIDERS),
    endpoint: () => random.pick(['chat/completions', 'v1/messages', '/a', '../../a', '']),
    slug: () => random.pick(['one', 'two', random.text(6)]),
    base_url: () =>
      random.pick([
        'https://127.0.0.1:9/',
        'https://localhost/v1',
        'https://a.invalid/',
        'http://a.invalid',
      ]),
    url: () =>
      random.pick(['https://127.0.0.1:9/otlp', 'data:image/png;base64,AAAA', 'https://a.invalid/']),
    alias: () => random.pick(['default', 'a', random.text(5)]),
    resource_type: () => random.pick(TYPES),
    type: () => random.pick(TYPES),
    resource_id: () => (random.chance(0.7) ? `thing-${random.below(60)}` : anyId()),
    worker_id: () => `worker-${random.below(5)}`,
    tag: () =>
      random.pick([
        'env',
        'env=prod',
        'env=prod,test',
        '!team',
        'team!=a',
        'team=',
        'cost.center',
        'env=a\\,b',
      ]),
    'tags.key': () =>
      random.pick([
        'env',
        'team',
        'cost.center',
        'größe',
        '__proto__',
        'constructor',
        random.text(4),
      ]),
    'tags.value': () => random.pick(['prod', 'test', '', 'a,b', '🌍', random.text(6)]),
    tag_key: () => random.pick(['env', 'team', 'größe', '__proto__']),
    key: () => random.pick(['env', 'team', 'größe']),
    prefix: () => random.pick(['e', 'te', '', 'ß']),
    cursor: () => (cursors.length > 0 ? random.pick(cursors) : 'a'),
    if_match: () => (etags.length > 0 ? random.pick(etags) : '*'),
    'filters.key': () => random.pick(FILTER_KEYS),
    'filters.operator': () => random.pick(['eq', 'neq', 'contains', 'lt', 'gt']),
    'filters.value': () =>
      random.pick(['openai', '1', 'true', '2026-01-01T00:00:00Z', 'a', '-1.5', '']),
    group_by: () =>
      random.pick(['model', 'provider', 'token', 'status', 'metadata.a', 'tag.env', 'none']),
    interval: () => random.pick(['minute', 'hour', 'day', '1h', '60']),
    since: () => someTime(random),
    until: () => someTime(random),
    before: () => someTime(random),
    not_before: () => '2026-01-01T00:00:00Z',
    expires_on: () => random.pick(['2099-01-01T00:00:00Z', someTime(random)]),
    start_date: () => someTime(random),
    end_date: () => someTime(random),
    metadata: () => random.pick(['{}', '{"a":1}', 'a', '{"a":{"b":1}}']),
    password: () => 'a wrong but long password',
    new_password: () => 'green window in the hall',
    csrf: () => 'a',
    token: () => random.pick(facts.codes),
    return_to: () =>
      random.pick([
        '/',
        '/accounts',
        '//a.invalid',
        'https://a.invalid',
        '/\\a.invalid',
        '/login',
        '',
      ]),
    decision: () => random.pick(['approve', 'deny', 'other']),
    request: () => random.pick(['v1.AAAA', 'a', 'eyJhbGciOiJub25lIn0.e30.']),
    transaction: () => random.pick(['v1.AAAA', 'a', '']),
  };
  return (name) => {
    const own = Object.hasOwn(choices, name) ? choices[name]?.() : undefined;
    if (own !== undefined) return own;
    if (/_uri(s)?$|_origins$/.test(name))
      return random.pick(['https://app.invalid/x', 'http://localhost:3000', 'https://app.invalid']);
    return undefined;
  };
}
