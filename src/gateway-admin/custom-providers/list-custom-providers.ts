import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentCustomProvider } from './custom-provider-presenter.ts';
import { CustomProviderSchema } from './custom-provider-schemas.ts';
import { listCustomProviders } from './custom-provider-store.ts';

const MAX_PER_PAGE = 100;

export const listCustomProvidersRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/custom-providers',
    operationId: 'list-custom-providers',
    section: 'AI gateway',
    summary: 'List custom providers',
    description: 'By name.',
    access: 'ai-gateway.read',
    params: AccountParams,
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      search: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Search text: part of the id, the name or the slug',
        }),
      ),
      enable: Type.Optional(
        Type.Boolean({ description: 'Only enabled, or only disabled, providers' }),
      ),
      beta: Type.Optional(
        Type.Boolean({ description: 'Only providers marked as a beta, or only others' }),
      ),
    }),
    result: Type.Array(CustomProviderSchema),
    paging: 'page',
    async handler({ params, query }) {
      const page = readPage(query);
      const { providers, totalCount } = await listCustomProviders(
        database.read,
        params.account_id,
        { search: query.search, isEnabled: query.enable, isBeta: query.beta },
        page,
      );
      return pageReply(providers.map(presentCustomProvider), page, totalCount);
    },
  });
