import { type Static, Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { Database } from '../../storage/database.ts';
import type { ProviderModels } from '../routing/provider-models.ts';
import type { ProviderRegistry } from '../routing/provider-registry.ts';
import { findCustomProviders } from '../../gateway-admin/snapshot.ts';
import type { KnownModel } from '../pricing/known-models.ts';

const MAX_PER_PAGE = 1_000;

const ModelSchema = Type.Object({
  id: Type.String({ description: '`provider/model`, as requests name it' }),
  name: Type.String({ description: 'Same as `id`' }),
  author: Type.String({ description: 'Provider' }),
  description: Type.String({ description: 'Display name' }),
  tags: Type.Array(Type.String()),
  properties: Type.Array(Type.Object({ property_id: Type.String(), value: Type.String() })),
});

type Model = Static<typeof ModelSchema>;

interface SearchServices {
  database: Database;
  providers: ProviderRegistry;
  models: ProviderModels;
}

export const searchModelsRoute = (services: SearchServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai/models/search',
    operationId: 'search-models',
    section: 'AI gateway',
    summary: 'Search the known models',
    description:
      'Lists models with public prices, models in the price file of the operator, and the models that custom providers declare, for all configured providers. Providers may have further models. `GET /ai/v1/models` lists the models that a credential can use.',
    access: 'ai-gateway.read',
    params: AccountParams,
    query: Type.Object(
      {
        ...pageQuery(MAX_PER_PAGE),
        search: Type.Optional(
          Type.String({ maxLength: 256, description: 'Part of the id or the display name' }),
        ),
        author: Type.Optional(Type.String({ maxLength: 256, description: 'Exact provider' })),
        hide_experimental: Type.Optional(
          Type.Boolean({ description: 'No effect: no model is experimental' }),
        ),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(ModelSchema),
    paging: 'page',
    async handler({ params, query }) {
      const page = readPage(query);
      const custom = await findCustomProviders(services.database.read, params.account_id);
      const all = services.providers.list(custom);
      const providers = all.filter(
        ({ name }) => query.author === undefined || query.author === name,
      );
      const lists = await Promise.all(
        providers.map(async (provider) => {
          const models = await services.models.listConfigured(provider);
          return models.map((model) => present(provider.name, model));
        }),
      );
      const text = query.search?.toLowerCase() ?? '';
      const found = lists.flat().filter((model) => matches(model, text));
      return pageReply(found.slice(page.offset, page.offset + page.perPage), page, found.length);
    },
  });

function present(provider: string, { id, name }: KnownModel): Model {
  const full = `${provider}/${id}`;
  return { id: full, name: full, author: provider, description: name, tags: [], properties: [] };
}

function matches({ id, description }: Model, text: string): boolean {
  return id.toLowerCase().includes(text) || description.toLowerCase().includes(text);
}
