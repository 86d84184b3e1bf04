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
  keyHint: `An API key. It begins with ${begin}`,
  placeholder: `${begin}…`,
});

/** The built-in providers that take a key, in the order in which they are offered. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  apiKey('openai', 'OpenAI', 'sk-'),
  apiKey('anthropic', 'Anthropic', 'sk-ant-'),
  apiKey('google-ai-studio', 'Google AI Studio', 'AIza'),
  {
    slug: 'google-vertex-ai',
    name: 'Google Vertex AI',
    keyHint:
      'The JSON file of a service account, whole: access tokens are fetched with it as they are needed. An API key works on express paths only, an access token for an hour.',
    placeholder: '{"type": "service_account", "project_id": …}',
    jsonMembers: ['client_email', 'private_key'],
  },
  {
    slug: 'azure-openai',
    name: 'Azure OpenAI',
    keyHint: 'One of the two keys of the resource, from “Keys and Endpoint” in the Azure portal.',
    originHint:
      'The resource that the key is for; it is never sent to another. Leave it empty only when the operator of this server has named one address for Azure.',
  },
  {
    slug: 'aws-bedrock',
    name: 'AWS Bedrock',
    keyHint:
      'A Bedrock API key, or the access key of an AWS user or role as JSON; with that, requests are signed. sessionToken and region may stand in it, too.',
    placeholder: '{"accessKeyId": "AKIA…", "secretAccessKey": "…"}',
    jsonMembers: ['accessKeyId', 'secretAccessKey'],
  },
  { slug: 'mistral', name: 'Mistral', keyHint: 'An API key: 32 letters and digits.' },
  apiKey('groq', 'Groq', 'gsk_'),
  apiKey('deepseek', 'DeepSeek', 'sk-'),
  apiKey('xai', 'xAI', 'xai-'),
  { slug: 'cohere', name: 'Cohere', keyHint: 'An API key: 40 letters and digits.' },
  apiKey('openrouter', 'OpenRouter', 'sk-or-v1-'),
  apiKey('perplexity', 'Perplexity', 'pplx-'),
  apiKey('cerebras', 'Cerebras', 'csk-'),
  { slug: 'together', name: 'Together AI', keyHint: 'An API key: letters and digits.' },
  apiKey('fireworks', 'Fireworks AI', 'fw_'),
  {
    slug: 'huggingface',
    name: 'Hugging Face',
    keyHint: 'An access token with permission to call inference providers. It begins with hf_',
    placeholder: 'hf_…',
  },
  {
    slug: 'replicate',
    name: 'Replicate',
    keyHint: 'An API token. It begins with r8_',
    placeholder: 'r8_…',
  },
  {
    slug: 'workers-ai',
    name: 'Workers AI',
    keyHint: 'An API token for the address that the operator of this server has named.',
  },
  { slug: 'ollama', name: 'Ollama', keyHint: 'Only where a key is asked for in front of it.' },
  { slug: 'vllm', name: 'vLLM', keyHint: 'The value of --api-key, when it was started with one.' },
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
  if (BEARER.test(secret)) return 'Leave out “Bearer”: the key alone is stored.';
  if (new TextEncoder().encode(secret).length > MAX_SECRET_BYTES) {
    return 'A key has at most 16 KiB.';
  }
  if (secret.startsWith('{')) return findJsonFault(secret, provider);
  if (HEADER_VALUE.test(secret)) return undefined;
  return provider?.jsonMembers === undefined
    ? 'A key is one line, without blanks around it and without accents.'
    : 'This is neither one line nor a JSON object that begins with {.';
}

function findJsonFault(secret: string, provider: KnownProvider | undefined): string | undefined {
  if (provider?.jsonMembers === undefined) return 'This provider takes no JSON as a key.';
  let parsed: unknown;
  try {
    parsed = JSON.parse(secret);
  } catch {
    return 'This starts like JSON but is not complete: the end may have been cut off.';
  }
  const members = parsed as Readonly<Record<string, unknown>>;
  const lacking = provider.jsonMembers.filter((name) => typeof members[name] !== 'string');
  return lacking.length === 0 ? undefined : `The JSON lacks ${lacking.join(' and ')}.`;
}
