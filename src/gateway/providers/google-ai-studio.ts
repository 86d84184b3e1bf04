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

/** Creates Google's Gemini API. Native paths begin with its version: `v1beta/models/…`. */
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

/** Removes the version and the path of the OpenAI-compatible API from the end of a base URL. */
function withoutApi(url: string): string {
  return withoutVersion(url.replace(/\/openai\/*$/, ''));
}

const COLLECTION = /^(models|tunedModels)\//;

/** Returns the path of a call below the version. A model belongs to `models`, unless its name contains `tunedModels`. */
export function generationPath({ model, isStream }: OperationCall): string {
  const [, collection = 'models'] = COLLECTION.exec(model) ?? [];
  // An encoded name with the method after it is never a dot segment, and adds no segment.
  const name = encodeURIComponent(model.replace(COLLECTION, '').toWellFormed());
  const method = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `${collection}/${name}:${method}`;
}

/** Returns the model in a native path as requests for operations name it. */
export function modelInPath(pathAndQuery: string): string | undefined {
  const path = plainPath(pathAndQuery);
  const [, collection, name] = /^(?:.*\/)?(models|tunedModels)\/([\w.-]+)%3A/.exec(path) ?? [];
  return collection === 'tunedModels' ? `tunedModels/${name}` : name;
}

/** Returns true for a key in the query. Google rejects requests with two keys. */
function hasKeyParameter(pathAndQuery: string): boolean {
  const query = pathAndQuery.indexOf('?');
  return query >= 0 && new URLSearchParams(pathAndQuery.slice(query)).has('key');
}

/** Returns the header of the key. The OpenAI-compatible API accepts only the header of the OpenAI API. */
function authorize(apiKey: string, { endpoint }: OutgoingRequest): HeaderPairs {
  return /^[^?]*\/v\d\w*\/openai\//.test(endpoint.path)
    ? ['authorization', `Bearer ${apiKey}`]
    : ['x-goog-api-key', apiKey];
}
