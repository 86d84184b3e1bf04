import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { deniedGateways } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentGateway } from './gateway-presenter.ts';
import { GatewaySchema } from './gateway-schemas.ts';
import { listGateways } from './gateway-store.ts';

const MAX_PER_PAGE = 100;

export const listGatewaysRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways',
    operationId: 'list-gateways',
    section: 'AI gateway',
    summary: 'List the gateways of an account',
    access: 'ai-gateway.read',
    params: AccountParams,
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      search: Type.Optional(Type.String({ description: 'Part of the id', maxLength: 64 })),
    }),
    result: Type.Array(GatewaySchema),
    paging: 'page',
    async handler({ principal, params, query }) {
      const page = readPage(query);
      const { gateways, totalCount } = await listGateways(
        database.read,
        params.account_id,
        {
          search: query.search,
          hidden: deniedGateways(principal, 'ai-gateway.read', params.account_id),
        },
        page,
      );
      return pageReply(gateways.map(presentGateway), page, totalCount);
    },
  });
