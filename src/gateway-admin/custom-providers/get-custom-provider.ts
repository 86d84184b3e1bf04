import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentCustomProvider } from './custom-provider-presenter.ts';
import {
  CUSTOM_PROVIDER_RECORD,
  CustomProviderParams,
  CustomProviderSchema,
} from './custom-provider-schemas.ts';
import { findCustomProvider } from './custom-provider-store.ts';

export const getCustomProviderRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/custom-providers/:provider_id',
    operationId: 'get-custom-provider',
    section: 'AI gateway',
    summary: 'Get a custom provider',
    access: 'ai-gateway.read',
    params: CustomProviderParams,
    record: CUSTOM_PROVIDER_RECORD,
    result: CustomProviderSchema,
    async handler({ params, request }) {
      const { account_id: accountId, provider_id: id } = params;
      const provider = await findCustomProvider(database.read, accountId, { id });
      if (provider === undefined) throw notFound(request.path);
      return { result: presentCustomProvider(provider) };
    },
  });
