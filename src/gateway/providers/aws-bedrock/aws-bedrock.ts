import { parseObject } from '../../json/json-fields.ts';
import { UntranslatableError } from '../../translators/translator.ts';
import { messagesEdits } from '../messages-edits.ts';
import { BaseUrl } from '../base-url.ts';
import { openAiConversationEdits } from '../conversation-edits.ts';
import { matchModel } from '../native-path.ts';
import { supportOf } from '../openai-compatible.ts';
import type {
  Endpoint,
  HeaderPairs,
  OperationSupport,
  OutgoingRequest,
  ProviderSettings,
  UpstreamProvider,
} from '../provider.ts';
import { type AwsCredentials, signRequest } from './signature.ts';

const responsesEdits = openAiConversationEdits('aws-bedrock');

// It becomes a part of a host name.
const REGION = /^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;

/**
 * Creates Amazon Bedrock: its own API on provider-native paths, and its OpenAI-compatible one. There is no default
 * region, because the region decides where prompts are processed: the operator's base URL contains it, or the model, as
 * `{region}/{model}`.
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
    nativeModel: (path) => matchModel(/(?:^|\/)model\/([^/?]+)\//, path),
    // The signature covers the other two, so those of the client would not match.
    credentialHeaders: ['authorization', 'x-amz-date', 'x-amz-security-token'],
    authorize,
  };
}

/** Returns the OpenAI-compatible API for all models, and the Messages API for those of Anthropic. */
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

/** Reads a base URL, which may end in the path of the OpenAI-compatible API. */
function readAddress(url: string): NamedAddress {
  const { origin, pathname, hostname } = new URL(url);
  const base = new BaseUrl(origin + pathname.replace(/\/openai(?:\/v\d+)?\/*$/, ''));
  return { base, region: regionOf(hostname) };
}

const AWS_DOMAIN = '.amazonaws.com';

/** Returns the region in a host of AWS, also of a private endpoint. */
function regionOf(hostname: string): string | undefined {
  if (!hostname.endsWith(AWS_DOMAIN)) return undefined;
  const labels = hostname.slice(0, -AWS_DOMAIN.length);
  return /(?:^|\.)bedrock-runtime(?:-fips)?\.([^.]+)(?:\.|$)/.exec(labels)?.[1];
}

/**
 * Returns the operator's base URL, unless it belongs to another region.
 * @throws UntranslatableError if neither the client nor the operator names a region
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

/** Splits `{region}/{model}`. A model may contain slashes itself, such as an ARN. */
function splitModel(model: string): { region: string | undefined; model: string } {
  const slash = model.indexOf('/');
  const region = model.slice(0, Math.max(slash, 0));
  return REGION.test(region)
    ? { region, model: model.slice(slash + 1) }
    : { region: undefined, model };
}

/** Returns the address of `bedrock-runtime/{region}/{rest}`. */
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

/** The credentials that sign requests. */
interface BedrockCredentials extends AwsCredentials {
  /** For addresses that do not contain a region. */
  region?: string;
}

/**
 * Reads a stored key: a Bedrock API key, or the credentials of an AWS user or role as JSON, with the members
 * `accessKeyId`, `secretAccessKey` and optionally `sessionToken` and `region`.
 * @returns an API key as text
 * @throws Error for invalid JSON; the message does not contain the key
 */
function readBedrockKey(key: string): string | BedrockCredentials {
  if (!key.trimStart().startsWith('{')) return key;
  const fields = parseObject(key);
  // The message of the parser would quote the key.
  if (fields === undefined)
    throw new Error('the key of aws-bedrock is neither an API key nor JSON');
  const { accessKeyId, secretAccessKey, sessionToken, region } = fields;
  if (!isText(accessKeyId) || !isText(secretAccessKey)) {
    throw new Error('the key of aws-bedrock lacks accessKeyId or secretAccessKey');
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...(isText(sessionToken) ? { sessionToken } : {}),
    ...(isText(region) ? { region } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
