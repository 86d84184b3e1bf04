import { BaseUrl, withoutVersion } from './base-url.ts';
import { plainPath } from './native-path.ts';
import type {
  HeaderPairs,
  OperationCall,
  OutgoingRequest,
  ProviderSettings,
  UpstreamProvider,
} from './provider.ts';
import {
  chatToGemini,
  messagesToGemini,
  responsesToGemini,
} from '../translators/chat-to-gemini/chat-to-gemini.ts';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';

/** Google's Gemini API, which native paths name with its version: `v1beta/models/…`. */
export function createGoogleAiStudioProvider(settings: ProviderSettings): UpstreamProvider {
  const base = new BaseUrl(withoutApi(settings.baseUrl ?? DEFAULT_BASE_URL));
  const endpoint = (call: OperationCall) => base.at(`v1beta/${generationPath(call)}`);
  return {
    kind: 'upstream',
    name: 'google-ai-studio',
    isTrusted: true,
    apiKey: settings.apiKey,
    operations: {
      'chat/completions': { endpoint, translator: chatToGemini },
      messages: { endpoint, translator: messagesToGemini },
      responses: { endpoint, translator: responsesToGemini },
      embeddings: { endpoint: () => base.at('v1beta/openai/embeddings') },
    },
    nativeEndpoint: (path) => base.at(path),
    nativeModel: modelInPath,
    credentialHeaders: ['x-goog-api-key', 'authorization'],
    bringsKey: hasKeyParameter,
    authorize,
  };
}

/** The address, also from one that leads into a version of the API or into its compatible one. */
function withoutApi(url: string): string {
  return withoutVersion(url.replace(/\/openai\/*$/, ''));
}

const COLLECTION = /^(models|tunedModels)\//;

/** The path of a call below the version. A model is one of Google's, unless it is written as a tuned one. */
export function generationPath({ model, isStream }: OperationCall): string {
  const [, collection = 'models'] = COLLECTION.exec(model) ?? [];
  // Encoded, and followed by the method, no model is a dot segment or a path of its own.
  const name = encodeURIComponent(model.replace(COLLECTION, '').toWellFormed());
  const method = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `${collection}/${name}:${method}`;
}

/** The model of a native path, as the caller of an operation would write it. */
export function modelInPath(pathAndQuery: string): string | undefined {
  const path = plainPath(pathAndQuery);
  const [, collection, name] = /^(?:.*\/)?(models|tunedModels)\/([\w.-]+)%3A/.exec(path) ?? [];
  return collection === 'tunedModels' ? `tunedModels/${name}` : name;
}

/** Google takes a key in the query, too, and refuses requests that bring two. */
function hasKeyParameter(pathAndQuery: string): boolean {
  const query = pathAndQuery.indexOf('?');
  return query >= 0 && new URLSearchParams(pathAndQuery.slice(query)).has('key');
}

/** The compatible API takes keys as the OpenAI API does, and in no other way. */
function authorize(apiKey: string, { endpoint }: OutgoingRequest): HeaderPairs {
  return /^[^?]*\/v\d\w*\/openai\//.test(endpoint.path)
    ? ['authorization', `Bearer ${apiKey}`]
    : ['x-goog-api-key', apiKey];
}
