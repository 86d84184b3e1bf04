import { GatewayParams, gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { apiError, notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { createId } from '../../lib/ids.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { lockGateway } from '../gateways/gateway-store.ts';
import { checkAlias } from './check-alias.ts';
import {
  checkKeyForm,
  invalid,
  parseKeyRateLimit,
  parseKeyTarget,
  parseSecret,
  previewOf,
} from './parse-provider-config.ts';
import { presentProviderConfig, providerConfigChange } from './provider-config-presenter.ts';
import {
  PROVIDER_CONFIG_RECORD,
  CreateProviderConfigSchema,
  ProviderConfigSchema,
} from './provider-config-schemas.ts';
import {
  type ProviderConfig,
  insertProviderConfig,
  keySealer,
  sealingContext,
  unsetOtherDefaults,
} from './provider-config-store.ts';
import { keysAnnouncement } from '../snapshot-topics.ts';

// All keys of a gateway are in memory together.
const MAX_PROVIDER_CONFIGS = 100;

export const createProviderConfigRoute = ({
  clock,
  changes,
  masterKey,
  data,
}: GatewayAdminServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/provider_configs',
    operationId: 'create-provider-config',
    section: 'AI gateway',
    summary: 'Store a provider key',
    description:
      'The key is encrypted and never shown again. Requests without their own provider key use the key that `cf-aig-byok-alias` selects, or the default key.',
    access: 'ai-gateway.write',
    params: GatewayParams,
    body: CreateProviderConfigSchema,
    bodyFaults: gatewayBodyFaults,
    record: PROVIDER_CONFIG_RECORD,
    result: ProviderConfigSchema,
    errors: [gatewayAdminErrors.aliasTaken, gatewayAdminErrors.tooManyProviderConfigs],
    async handler({ principal, params, body, request }) {
      if (body.secret_id !== undefined && body.secret_id !== null) {
        throw invalid('secret_id', 'secret stores are not supported: send the key as secret');
      }
      if (body.secret === undefined) throw invalid('secret', 'secret is required');
      const secret = parseSecret(body.secret);
      const nowMs = clock.now();
      const place = { accountId: params.account_id, gatewayId: params.gateway_id, id: createId() };
      const fields = {
        ...place,
        alias: body.alias,
        isDefault: body.default_config,
        sealedSecret: keySealer(masterKey).seal(secret, sealingContext(place)),
        secretPreview: previewOf(secret),
        rateLimit: parseKeyRateLimit(body.rate_limit, body.rate_limit_period),
        createdAtMs: nowMs,
        modifiedAtMs: nowMs,
      };
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        const gateway = await lockGateway(tx, place.accountId, place.gatewayId);
        if (gateway === undefined) throw notFound(request.path);
        const target = await parseKeyTarget(tx, data.builtInProviders, place.accountId, body);
        checkKeyForm(secret, data.builtInProviders.get(target.providerSlug));
        const config: ProviderConfig = { ...fields, ...target };
        const others = await checkAlias(tx, config);
        if (others.length >= MAX_PROVIDER_CONFIGS) {
          throw apiError(gatewayAdminErrors.tooManyProviderConfigs);
        }
        await insertProviderConfig(tx, config);
        if (config.isDefault) await unsetOtherDefaults(tx, config);
        announce(keysAnnouncement(config.accountId, config.gatewayId));
        audit(providerConfigChange(config, 'create', 'Stored a provider key'));
        return { result: presentProviderConfig(config) };
      });
    },
  });
