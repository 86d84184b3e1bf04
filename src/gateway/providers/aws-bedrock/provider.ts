import { UntranslatableError } from '../../translators/translation.ts';
import { messagesEdits } from '../messages-edits.ts';
import { BaseUrl } from '../base-url.ts';
import { openAiConversationEdits } from '../conversation-edits.ts';
import { modelBehind } from '../native-path.ts';
import { supportOf } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type {
  Endpoint,
  HeaderPairs,
  OperationSupport,
  OutgoingRequest,
  UpstreamProvider,
} from '../provider.ts';
import { readBedrockKey } from './bedrock-key.ts';
import { signRequest } from './signature.ts';

const responsesEdits = openAiConversationEdits('aws-bedrock');

// It becomes part of a host name.
const REGION = /^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;

/**
 * Amazon Bedrock: its own API on provider-native paths, and its OpenAI-compatible one. There is no
 * region that we could choose for somebody: it decides where prompts go. So the operator's address
 * names it, or the model does, as `{region}/{model}`.
 */
export function createAwsBedrockProvider(settings: ProviderSettings): UpstreamProvider {
  const named = settings.baseUrl === undefined ? undefined : readAddress(settings.baseUrl);
  return {
    kind: 'upstream',
    name: 'aws-bedrock',
    isTrusted: true,
    apiKey: settings.apiKey,
    takesJsonKeys: true,
    operations: operationsOf(named),
    conversationEdits: (path, body, replyKeys) =>
      path.endsWith('responses')
        ? responsesEdits(path, body, replyKeys)
        : messagesEdits(path, body),
    nativeEndpoint: (path) => nativeEndpoint(named, path),
    nativeModel: (path) => modelBehind(/(?:^|\/)model\/([^/?]+)\//, path),
    // The others are signed with the first: from elsewhere, they would not fit our signature.
    credentialHeaders: ['authorization', 'x-amz-date', 'x-amz-security-token'],
    authorize,
  };
}

/** The OpenAI-compatible API for all models, and the Messages API for those of Anthropic. */
function operationsOf(named: NamedAddress | undefined): UpstreamProvider['operations'] {
  const supportAt = (path: string): OperationSupport => ({
    endpoint: ({ model }) => addressIn(splitModel(model).region, named).at(path),
    model: ({ model }) => splitModel(model).model,
  });
  const operations = supportOf(['chat/completions', 'responses'], (operation) =>
    supportAt(`openai/v1/${operation}`),
  );
  const verbatim = supportAt('anthropic/v1/messages');
  const ofModel = (model: string) => (CLAUDE.test(model) ? verbatim : undefined);
  if (operations.messages !== undefined) operations.messages = { ...operations.messages, ofModel };
  return operations;
}

/** `us.anthropic.claude-…`, also in the ARN of an inference profile. */
const CLAUDE = /(?:^|[./])anthropic\.claude-/;

interface NamedAddress {
  base: BaseUrl;
  /** Undefined if the host does not contain the region. */
  region: string | undefined;
}

/** The address of a region, also from one that leads into its OpenAI-compatible API. */
function readAddress(url: string): NamedAddress {
  const { origin, pathname, hostname } = new URL(url);
  const base = new BaseUrl(origin + pathname.replace(/\/openai(?:\/v\d+)?\/*$/, ''));
  return { base, region: regionOf(hostname) };
}

const AWS_DOMAIN = '.amazonaws.com';

/** The region of one of AWS's hosts, those of private endpoints among them. */
function regionOf(hostname: string): string | undefined {
  if (!hostname.endsWith(AWS_DOMAIN)) return undefined;
  const labels = hostname.slice(0, -AWS_DOMAIN.length);
  return /(?:^|\.)bedrock-runtime(?:-fips)?\.([^.]+)(?:\.|$)/.exec(labels)?.[1];
}

/**
 * The operator's address, unless it is known to be that of another region.
 * @throws UntranslatableError when neither the caller nor the operator names a region
 */
function addressIn(region: string | undefined, named: NamedAddress | undefined): BaseUrl {
  if (named !== undefined) {
    const isThere = region === undefined || named.region === undefined || named.region === region;
    if (isThere) return named.base;
  }
  if (region !== undefined) return new BaseUrl(`https://bedrock-runtime.${region}.amazonaws.com`);
  throw new UntranslatableError(
    'the model of aws-bedrock has the form {region}/{model}, unless the operator sets LATCHKEY_PROVIDER_AWS_BEDROCK_BASE_URL',
  );
}

/** Models may have slashes of their own: those in ARNs. */
function splitModel(model: string): { region: string | undefined; model: string } {
  const slash = model.indexOf('/');
  const region = model.slice(0, Math.max(slash, 0));
  return REGION.test(region)
    ? { region, model: model.slice(slash + 1) }
    : { region: undefined, model };
}

/** `bedrock-runtime/{region}/{rest}` */
function nativeEndpoint(
  named: NamedAddress | undefined,
  pathAndQuery: string,
): Endpoint | undefined {
  const [, region = '', rest = ''] = /^bedrock-runtime\/([^/?]+)\/(.*)$/s.exec(pathAndQuery) ?? [];
  return REGION.test(region) ? addressIn(region, named).at(rest) : undefined;
}

function authorize(apiKey: string, request: OutgoingRequest): HeaderPairs | Promise<HeaderPairs> {
  const key = readBedrockKey(apiKey);
  if (typeof key === 'string') return ['authorization', `Bearer ${key}`];
  const region = regionOf(new URL(request.endpoint.origin).hostname) ?? key.region;
  if (region === undefined) {
    throw new Error('the key of aws-bedrock lacks a region, and its address does not contain one');
  }
  return signRequest(key, { region, service: 'bedrock' }, request);
}
