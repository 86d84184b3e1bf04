import { labels } from './labels.ts';

/** What the form of a key has to know of a provider. */
export interface KnownProvider {
  /** As requests name it. */
  slug: string;
  name: string;
  /** What its keys look like, and where one gets them. */
  keyHint: string;
  /** What stands in an empty field. */
  placeholder?: string;
  /** Its keys may be JSON: these members make one complete. */
  jsonMembers?: readonly string[];
  /** One of its addresses has to be named, since there are several owners' among them. */
  originHint?: string;
}

const apiKey = (slug: string, name: string, begin: string): KnownProvider => ({
  slug,
  name,
  keyHint: labels.anApiKeyThatStarts(begin),
  placeholder: `${begin}…`,
});

/** The built-in providers that take a key, in the order in which they are offered. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  apiKey('openai', labels.openai, 'sk-'),
  apiKey('anthropic', labels.anthropic, 'sk-ant-'),
  apiKey('google-ai-studio', labels.googleAiStudio, 'AIza'),
  {
    slug: 'google-vertex-ai',
    name: labels.googleVertexAi,
    keyHint: labels.theCompleteJsonFile,
    placeholder: '{"type": "service_account", "project_id": …}',
    jsonMembers: ['client_email', 'private_key'],
  },
  {
    slug: 'azure-openai',
    name: labels.azureOpenai,
    keyHint: labels.oneOfTheTwoKeys,
    originHint: labels.theGatewaySendsTheKey,
  },
  {
    slug: 'aws-bedrock',
    name: labels.awsBedrock,
    keyHint: labels.aBedrockApiKey,
    placeholder: '{"accessKeyId": "AKIA…", "secretAccessKey": "…"}',
    jsonMembers: ['accessKeyId', 'secretAccessKey'],
  },
  { slug: 'mistral', name: labels.mistral, keyHint: labels.apiKeyWith32Characters },
  apiKey('groq', labels.groq, 'gsk_'),
  apiKey('deepseek', labels.deepseek, 'sk-'),
  apiKey('xai', 'xAI', 'xai-'),
  { slug: 'cohere', name: labels.cohere, keyHint: labels.apiKeyWith40Characters },
  apiKey('openrouter', labels.openrouter, 'sk-or-v1-'),
  apiKey('perplexity', labels.perplexity, 'pplx-'),
  apiKey('cerebras', labels.cerebras, 'csk-'),
  { slug: 'together', name: labels.togetherAi, keyHint: labels.anApiKeyOfLetters },
  apiKey('fireworks', labels.fireworksAi, 'fw_'),
  {
    slug: 'huggingface',
    name: labels.huggingFace,
    keyHint: labels.anAccessTokenWithPermission,
    placeholder: 'hf_…',
  },
  {
    slug: 'replicate',
    name: labels.replicate,
    keyHint: labels.anApiTokenThatStarts,
    placeholder: 'r8_…',
  },
  {
    slug: 'workers-ai',
    name: labels.workersAi,
    keyHint: labels.anApiToken,
  },
  { slug: 'ollama', name: labels.ollama, keyHint: labels.requiredOnlyIfAProxy },
  { slug: 'vllm', name: 'vLLM', keyHint: labels.theValueOfApiKey },
];

/** A built-in provider by the name that requests use. */
export function knownProvider(slug: string): KnownProvider | undefined {
  return KNOWN_PROVIDERS.find((provider) => provider.slug === slug);
}

const BEARER = /^bearer\s/i;
// RFC 9110 section 5.5, as the server has it.
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MAX_SECRET_BYTES = 16_384;

/** What is wrong with a key, as far as it can be seen: the server says the same, after it was sent. */
export function findSecretFault(
  text: string,
  provider: KnownProvider | undefined,
): string | undefined {
  const secret = text.trim();
  if (secret === '') return undefined;
  if (BEARER.test(secret)) return labels.removeBearerEnter;
  if (new TextEncoder().encode(secret).length > MAX_SECRET_BYTES) {
    return labels.aKeyHasAtMost;
  }
  if (secret.startsWith('{')) return findJsonFault(secret, provider);
  if (HEADER_VALUE.test(secret)) return undefined;
  return provider?.jsonMembers === undefined
    ? labels.enterOneLineWithoutSurrounding
    : labels.enterOneLine;
}

function findJsonFault(secret: string, provider: KnownProvider | undefined): string | undefined {
  if (provider?.jsonMembers === undefined) return labels.thisProviderDoesntAcceptJson;
  let parsed: unknown;
  try {
    parsed = JSON.parse(secret);
  } catch {
    return labels.theJsonIsIncomplete;
  }
  const members = parsed as Readonly<Record<string, unknown>>;
  const lacking = provider.jsonMembers.filter((name) => typeof members[name] !== 'string');
  return lacking.length === 0 ? undefined : labels.theJsonDoesntContain(lacking.join(' and '));
}
