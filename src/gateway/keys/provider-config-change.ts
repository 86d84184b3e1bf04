import { apiError } from '../../http/errors.ts';
import type { AuditedChange } from '../../iam/changes.ts';
import type { Transaction } from '../../storage/schema.ts';
import { gatewayManagementErrors } from '../gateway-errors.ts';
import {
  type ProviderConfig,
  type ProviderConfigPlace,
  findProviderConfigs,
} from './provider-config-store.ts';

/** A change of a stored key, for the audit log of its account. */
export function providerConfigChange(
  { accountId, id }: ProviderConfigPlace,
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: { accountId },
    type,
    description,
    resource: { type: 'ai_gateway_provider_config', id, product: 'ai_gateway' },
  };
}

/**
 * What a gateway keeps besides a key that is about to be stored.
 * @param tx the gateway is locked in it
 * @throws ApiError 5020 when one of them has its alias
 */
export async function checkAlias(
  tx: Transaction,
  { accountId, gatewayId, id, providerSlug, alias }: ProviderConfig,
): Promise<ProviderConfig[]> {
  const stored = await findProviderConfigs(tx, accountId, gatewayId);
  const others = stored.filter((other) => other.id !== id);
  if (others.some((other) => other.providerSlug === providerSlug && other.alias === alias)) {
    throw apiError(gatewayManagementErrors.aliasTaken, { pointer: '/alias' });
  }
  return others;
}
