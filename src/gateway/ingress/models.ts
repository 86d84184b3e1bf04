import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTarget } from '../gateway-request.ts';
import { httpErrors } from '../../http/errors.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { IngressServices } from './ingress-services.ts';
import type { KnownModel } from '../pricing/known-models.ts';
import { compat } from './gateway-host.ts';
import { withApiKey } from './rest-api.ts';
import { type EntryPoint, paramsOf } from './endpoint.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import { splitModelName } from '../../lib/model-name.ts';

const REST: RequestTarget = { entry: 'rest', operation: 'chat/completions' };

/** The endpoint of the models, for clients of the OpenAI and of the Anthropic API. */
export const restModels: EntryPoint = { admissionRequest: withApiKey, target: () => REST };

export const compatModels = compat('chat/completions');

const MAX_LIMIT = 1_000;

/** Lists the aliases of the gateway and the models that the client can use without its own key. */
export function listModels(services: IngressServices) {
  return async (request: FastifyRequest, _reply: FastifyReply, admitted: AdmittedCaller) => {
    const models = await allModels(services, admitted);
    const { limit, after_id: afterId } = request.query as Record<string, unknown>;
    const count = limit === undefined ? models.length : Number(limit);
    const start = afterId === undefined ? 0 : models.findIndex(({ id }) => id === afterId) + 1;
    const isBadLimit =
      limit !== undefined && !(Number.isInteger(count) && count > 0 && count <= MAX_LIMIT);
    if (isBadLimit) throw badParameter(`limit must be 1 to ${MAX_LIMIT}`);
    if (afterId !== undefined && start === 0) throw badParameter('after_id is not in the list');
    const page = models.slice(start, start + count);
    return {
      object: 'list',
      data: page,
      has_more: start + page.length < models.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  };
}

function badParameter(reason: string): GatewayError {
  const { invalidParameter } = httpErrors;
  return new GatewayError(invalidParameter, { message: `${invalidParameter.message}: ${reason}` });
}

/** Returns one of the models of {@link listModels}. */
export function getModel(services: IngressServices) {
  return async (request: FastifyRequest, _reply: FastifyReply, admitted: AdmittedCaller) => {
    const wanted = paramsOf(request)['*'] ?? '';
    const models = await allModels(services, admitted);
    const model = models.find(({ id }) => id === wanted);
    if (model !== undefined) return model;
    const { noSuchModel } = gatewayErrors;
    const message = `${noSuchModel.message}: ${wanted.slice(0, 256)}`;
    throw new GatewayError(noSuchModel, { message });
  };
}

async function allModels({ runtime, models }: IngressServices, admitted: AdmittedCaller) {
  const usable = runtime.providers.listUsable(admitted);
  const listed = await Promise.all(
    usable.map(async (provider) => {
      const known = await models.list(admitted, provider);
      return known.map((model) => present(provider.name, model));
    }),
  );
  return [...presentAliases(admitted.gateway), ...listed.flat()];
}

function presentAliases({ modelAliases }: AdmittedCaller['gateway']) {
  return [...modelAliases].map(([alias, target]) =>
    presentAs(alias, splitModelName(target)?.provider ?? '', target),
  );
}

function present(provider: string, { id, name }: KnownModel) {
  return presentAs(`${provider}/${id}`, provider, name);
}

/** Returns a model with the members of the OpenAI API and of the Anthropic API. */
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
