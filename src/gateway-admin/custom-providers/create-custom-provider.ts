import { gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { apiError } from '../../http/errors.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { createId } from '../../lib/ids.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { customProviderChange, presentCustomProvider } from './custom-provider-presenter.ts';
import {
  CUSTOM_PROVIDER_RECORD,
  CreateCustomProviderSchema,
  CustomProviderSchema,
} from './custom-provider-schemas.ts';
import {
  type CustomProvider,
  insertCustomProvider,
  lockAndCountCustomProviders,
} from './custom-provider-store.ts';
import { parseBaseUrl } from './parse-base-url.ts';
import { parseKeyHeader } from './parse-key-header.ts';
import { parseLink } from './parse-link.ts';
import { customProviderAnnouncement } from '../snapshot-topics.ts';

// Far more than users create by hand; stops scripts that run away.
const MAX_CUSTOM_PROVIDERS = 200;

export const createCustomProviderRoute = (services: GatewayAdminServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/ai-gateway/custom-providers',
    operationId: 'create-custom-provider',
    section: 'AI gateway',
    summary: 'Create a custom provider',
    description:
      'Requests address the provider as `custom-{slug}`. The gateway appends the rest of their path to `base_url`. It expects the paths of the API that `dialect` names, and translates chat completions and messages to it. The host must be public, unless the operator allows others.',
    access: 'ai-gateway.write',
    params: AccountParams,
    body: CreateCustomProviderSchema,
    bodyFaults: gatewayBodyFaults,
    record: CUSTOM_PROVIDER_RECORD,
    result: CustomProviderSchema,
    errors: [
      gatewayAdminErrors.invalidBaseUrl,
      gatewayAdminErrors.slugTaken,
      gatewayAdminErrors.tooManyCustomProviders,
    ],
    async handler({ principal, params, body, request }) {
      const { clock, changes } = services;
      const nowMs = clock.now();
      const provider: CustomProvider = {
        accountId: params.account_id,
        id: createId(),
        slug: body.slug,
        name: body.name,
        description: body.description === '' ? undefined : body.description,
        baseUrl: parseBaseUrl(body.base_url, services),
        dialect: body.dialect ?? 'openai',
        keyHeader: parseKeyHeader(body.key_header ?? ''),
        models: body.models ?? [],
        link: parseLink(body.link ?? ''),
        isBeta: body.beta ?? false,
        isEnabled: body.enable ?? true,
        createdAtMs: nowMs,
        modifiedAtMs: nowMs,
      };
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        const count = await lockAndCountCustomProviders(tx, provider.accountId);
        if (count >= MAX_CUSTOM_PROVIDERS) {
          throw apiError(gatewayAdminErrors.tooManyCustomProviders);
        }
        if (!(await insertCustomProvider(tx, provider))) {
          throw apiError(gatewayAdminErrors.slugTaken, { pointer: '/slug' });
        }
        announce(customProviderAnnouncement(provider.accountId, provider.slug));
        audit(customProviderChange(provider, 'create', 'Created a custom provider'));
        return { result: presentCustomProvider(provider) };
      });
    },
  });
