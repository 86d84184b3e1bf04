import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../authenticate.ts';
import { type Wanted, refusalBody } from '../exchange.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type KnownModel, knownModels } from '../prices/known-models.ts';
import { splitModelName } from '../model-names.ts';
import type { Provider } from '../providers/provider.ts';
import { compat } from './gateway-host.ts';
import { approachWithApiKey } from './rest-api.ts';
import { type WayIn, paramsOf } from './way-in.ts';

const REST: Wanted = { way: 'rest', operation: 'chat/completions' };

/** The models, for clients of the OpenAI and of the Anthropic API. */
export const restModels: WayIn = { approach: approachWithApiKey, wanted: () => REST };

export const compatModels = compat('chat/completions');

/** Answers with the aliases of the gateway and the models that the caller can use without a key of its own. */
export function listModels(services: GatewayServices) {
  return async (_request: FastifyRequest, _reply: FastifyReply, admission: Admission) => {
    const providers = await usableProviders(services, admission);
    const listed = await Promise.all(
      providers.map(async ({ name }) =>
        (await knownModels(name)).map((model) => present(name, model)),
      ),
    );
    const models = [...presentAliases(admission.gateway), ...listed.flat()];
    return {
      object: 'list',
      data: models,
      has_more: false,
      first_id: models[0]?.id ?? null,
      last_id: models.at(-1)?.id ?? null,
    };
  };
}

/** Answers with one of them. */
export function getModel(services: GatewayServices) {
  return async (request: FastifyRequest, reply: FastifyReply, admission: Admission) => {
    const wanted = paramsOf(request)['*'] ?? '';
    const alias = presentAliases(admission.gateway).find(({ id }) => id === wanted);
    if (alias !== undefined) return alias;
    const slash = wanted.indexOf('/');
    const providers = await usableProviders(services, admission);
    const provider = providers.find(({ name }) => name === wanted.slice(0, slash));
    const models = provider === undefined ? [] : await knownModels(provider.name);
    const model = models.find(({ id }) => id === wanted.slice(slash + 1));
    if (provider !== undefined && model !== undefined) return present(provider.name, model);
    const { noSuchModel } = gatewayErrors;
    reply.code(noSuchModel.status);
    return refusalBody(REST, {
      ...noSuchModel,
      message: `${noSuchModel.message}: ${wanted.slice(0, 256)}`,
    });
  };
}

/** Those that this caller needs no key of its own for. */
async function usableProviders(
  { providers, keys }: GatewayServices,
  { gateway, caller }: Admission,
): Promise<Provider[]> {
  const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
  const stored = mayUseStored ? await keys.providersOf(gateway.accountId, gateway.id) : undefined;
  // Some are there by a second name too.
  return [...new Set(providers.values())].filter((provider) => {
    if (provider.kind !== 'upstream') return provider.kind === 'local';
    const isLent = caller !== undefined && provider.apiKey !== undefined;
    return isLent || stored?.has(provider.name) === true;
  });
}

function presentAliases({ modelAliases }: Admission['gateway']) {
  return [...modelAliases].map(([alias, target]) =>
    presentAs(alias, splitModelName(target)?.provider ?? '', target),
  );
}

function present(provider: string, { id, name }: KnownModel) {
  return presentAs(`${provider}/${id}`, provider, name);
}

/** A model with the members that the OpenAI API and the Anthropic API show. */
function presentAs(id: string, provider: string, name: string) {
  return {
    id,
    object: 'model',
    type: 'model',
    // The price table has no creation dates.
    created: 0,
    created_at: new Date(0).toISOString(),
    owned_by: provider,
    display_name: name,
  };
}
