import { UntranslatableError } from '../translators/translator.ts';
import { BaseUrl } from './base-url.ts';
import { openAiConversationEdits } from './conversation-edits.ts';
import { isChatCompletions, supportOf } from './openai-compatible.ts';
import { matchModel } from './native-path.ts';
import type { Endpoint, ProviderSettings, UpstreamProvider } from './provider.ts';

// They become a part of a host name and of a path.
const RESOURCE = /^[a-z0-9][a-z0-9-]{0,62}$/;
const RESOURCE_ORIGIN = /^https:\/\/[a-z0-9][a-z0-9-]{0,62}\.openai\.azure\.com$/;
const DEPLOYMENT = /^\w[\w.-]{0,63}$/;

/**
 * Creates Azure OpenAI. A model is a deployment of the resource in the operator's base URL. Without that base URL, it is
 * `{resource}/{deployment}`, which is also the beginning of provider-native paths. Resources have many owners: a stored
 * key goes only to the resource that it was stored for, and the operator's key only to the operator's base URL.
 */
export function createAzureOpenAiProvider(settings: ProviderSettings): UpstreamProvider {
  const named =
    settings.baseUrl === undefined ? undefined : new BaseUrl(withoutApi(settings.baseUrl));
  return {
    kind: 'upstream',
    name: 'azure-openai',
    isTrusted: true,
    apiKey: named === undefined ? undefined : settings.apiKey,
    ...(named === undefined
      ? {
          keyOrigin: {
            pattern: RESOURCE_ORIGIN,
            example: 'https://my-resource.openai.azure.com',
          },
        }
      : {}),
    operations: supportOf(['chat/completions', 'responses', 'embeddings'], (operation) => {
      const path = `openai/v1/${operation}`;
      if (named !== undefined) return { endpoint: () => named.at(path) };
      return {
        endpoint: ({ model }) => resourceUrl(splitModel(model).resource).at(path),
        model: ({ model }) => splitModel(model).deployment,
      };
    }),
    conversationEdits: openAiConversationEdits('azure-openai'),
    nativeEndpoint: (path) => nativeEndpoint(named, path),
    credentialHeaders: ['api-key', 'authorization'],
    authorize: (apiKey) => ['api-key', apiKey],
    rejectsUsageWithDataSources: true,
    nativeModel: deploymentIn,
    supportsIncludeUsage: (endpoint) => isChatCompletions(endpoint) && takesStreamOptions(endpoint),
  };
}

/** Returns the deployment in a path below `deployments`, where `model` in the body has no effect. */
function deploymentIn(pathAndQuery: string): string | undefined {
  return matchModel(/(?:^|\/)deployments\/([^/?]+)\//, pathAndQuery);
}

/** The first version with `stream_options`. Dates are compared as texts. */
const STREAM_OPTIONS_VERSION = '2024-09-01';

/** Returns true for paths of the version `v1`, and for others with a new enough version in their query. */
function takesStreamOptions({ path }: Endpoint): boolean {
  if (/\/openai\/v1\//.test(path)) return true;
  const version = /[?&]api-version=(\d{4}-\d{2}-\d{2})/.exec(path)?.[1] ?? '';
  return version >= STREAM_OPTIONS_VERSION;
}

/** Removes the path of the API from the end of a base URL. */
function withoutApi(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/openai(?:\/v\d+)?\/*$/, '');
}

function resourceUrl(resource: string): BaseUrl {
  return new BaseUrl(`https://${resource}.openai.azure.com`);
}

/** @throws UntranslatableError */
function splitModel(model: string): { resource: string; deployment: string } {
  const [resource = '', deployment = '', ...more] = model.split('/');
  if (RESOURCE.test(resource) && DEPLOYMENT.test(deployment) && more.length === 0) {
    return { resource, deployment };
  }
  throw new UntranslatableError(
    'the model of azure-openai has the form {resource}/{deployment}, unless the operator sets LATCHKEY_PROVIDER_AZURE_OPENAI_BASE_URL',
  );
}

/**
 * Returns the address of `{resource}/{deployment}/{rest}`, which is below the deployment, or of
 * `{resource}/openai/{rest}`, which is below the resource. The resource in the operator's base URL takes precedence.
 */
function nativeEndpoint(named: BaseUrl | undefined, pathAndQuery: string): Endpoint | undefined {
  if (named !== undefined && pathAndQuery.startsWith('openai/')) return named.at(pathAndQuery);
  const match = /^([^/?]+)\/([^/?]+)\/(.*)$/s.exec(pathAndQuery);
  const [, resource = '', deployment = '', rest = ''] = match ?? [];
  if (!RESOURCE.test(resource) || !DEPLOYMENT.test(deployment)) return undefined;
  const base = named ?? resourceUrl(resource);
  return base.at(
    deployment === 'openai' ? `openai/${rest}` : `openai/deployments/${deployment}/${rest}`,
  );
}
