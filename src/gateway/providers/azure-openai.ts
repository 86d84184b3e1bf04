import { UntranslatableError } from '../translators/translator.ts';
import { BaseUrl } from './base-url.ts';
import { openAiConversationEdits } from './conversation-edits.ts';
import { isChatCompletions, supportOf } from './openai-compatible.ts';
import { matchModel } from './native-path.ts';
import type { Endpoint, ProviderSettings, UpstreamProvider } from './provider.ts';

// They become part of a host name and of a path.
const RESOURCE = /^[a-z0-9][a-z0-9-]{0,62}$/;
const RESOURCE_ORIGIN = /^https:\/\/[a-z0-9][a-z0-9-]{0,62}\.openai\.azure\.com$/;
const DEPLOYMENT = /^\w[\w.-]{0,63}$/;

/**
 * Azure OpenAI. A model is a deployment of the resource that the operator's address names; without
 * that address it is `{resource}/{deployment}`, as provider-native paths begin too. Anybody can have a
 * resource: a key that is kept here goes to the one that it was stored for, and the operator's needs
 * the operator's address.
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

/** The deployment in a path below `deployments`, where the body's `model` says nothing. */
function deploymentIn(pathAndQuery: string): string | undefined {
  return matchModel(/(?:^|\/)deployments\/([^/?]+)\//, pathAndQuery);
}

/** The first version that knows `stream_options`; dates are compared as texts. */
const STREAM_OPTIONS_VERSION = '2024-09-01';

/** Paths of the version `v1` take them, those below deployments from a version in their query on. */
function takesStreamOptions({ path }: Endpoint): boolean {
  if (/\/openai\/v1\//.test(path)) return true;
  const version = /[?&]api-version=(\d{4}-\d{2}-\d{2})/.exec(path)?.[1] ?? '';
  return version >= STREAM_OPTIONS_VERSION;
}

/** The address of a resource, also from one that leads into its API. */
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
 * `{resource}/{deployment}/{rest}` is below a deployment, `{resource}/openai/{rest}` as written below
 * the resource. Where the operator names the resource, the caller's word for it is passed over.
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
