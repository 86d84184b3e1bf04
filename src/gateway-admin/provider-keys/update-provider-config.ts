import { gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { lockGateway } from '../gateways/gateway-store.ts';
import { checkAlias } from './check-alias.ts';
import {
  checkKeyForm,
  parseKeyRateLimit,
  parseSecret,
  previewOf,
} from './parse-provider-config.ts';
import { presentProviderConfig, providerConfigChange } from './provider-config-presenter.ts';
import {
  PROVIDER_CONFIG_RECORD,
  ProviderConfigParams,
  ProviderConfigSchema,
  type UpdateProviderConfigInput,
  UpdateProviderConfigSchema,
} from './provider-config-schemas.ts';
import {
  type KeyRateLimit,
  type ProviderConfig,
  findProviderConfig,
  keySealer,
  sealingContext,
  unsetOtherDefaults,
  updateProviderConfig,
} from './provider-config-store.ts';
import { keysAnnouncement } from '../snapshot-topics.ts';

export const updateProviderConfigRoute = ({
  clock,
  changes,
  masterKey,
  data,
}: GatewayAdminServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/provider_configs/:config_id',
    operationId: 'update-provider-config',
    section: 'AI gateway',
    summary: 'Update a provider key',
    description:
      'Omitted fields keep their values. A new `secret` takes effect at once on this node and within one second on the others.',
    access: 'ai-gateway.write',
    params: ProviderConfigParams,
    body: UpdateProviderConfigSchema,
    bodyFaults: gatewayBodyFaults,
    record: PROVIDER_CONFIG_RECORD,
    result: ProviderConfigSchema,
    errors: [gatewayAdminErrors.aliasTaken],
    async handler({ principal, params, body, request, checkRecord }) {
      const { account_id: accountId, gateway_id: gatewayId, config_id: id } = params;
      const place = { accountId, gatewayId, id };
      const secret = body.secret === undefined ? undefined : parseSecret(body.secret);
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        const gateway = await lockGateway(tx, accountId, gatewayId);
        const stored = gateway === undefined ? undefined : await findProviderConfig(tx, place);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentProviderConfig(stored));
        if (secret !== undefined)
          checkKeyForm(secret, data.builtInProviders.get(stored.providerSlug));
        const config: ProviderConfig = {
          ...stored,
          alias: body.alias ?? stored.alias,
          isDefault: body.default_config ?? stored.isDefault,
          rateLimit: changedRateLimit(body, stored.rateLimit),
          ...(secret === undefined
            ? {}
            : {
                sealedSecret: keySealer(masterKey).seal(secret, sealingContext(place)),
                secretPreview: previewOf(secret),
              }),
          modifiedAtMs: clock.now(),
        };
        await checkAlias(tx, config);
        await updateProviderConfig(tx, config);
        if (config.isDefault) await unsetOtherDefaults(tx, config);
        announce(keysAnnouncement(accountId, gatewayId));
        const description =
          secret === undefined ? 'Updated a provider key' : 'Replaced a provider key';
        audit(providerConfigChange(place, 'update', description));
        return { result: presentProviderConfig(config) };
      });
    },
  });

function changedRateLimit(
  { rate_limit: requests, rate_limit_period: period }: UpdateProviderConfigInput,
  stored: KeyRateLimit | undefined,
): KeyRateLimit | undefined {
  return parseKeyRateLimit(
    requests === undefined ? stored?.requests : requests,
    period === undefined ? stored?.windowSeconds : period,
  );
}
