import { apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import { type ProviderConfig, findProviderConfigs } from './provider-config-store.ts';

/**
 * Returns the other keys of a gateway.
 * @param tx has locked the gateway
 * @throws ApiError 5020 if one of them has the same alias
 */
export async function checkAlias(
  tx: Transaction,
  { accountId, gatewayId, id, providerSlug, alias }: ProviderConfig,
): Promise<ProviderConfig[]> {
  const stored = await findProviderConfigs(tx, accountId, gatewayId);
  const others = stored.filter((other) => other.id !== id);
  if (others.some((other) => other.providerSlug === providerSlug && other.alias === alias)) {
    throw apiError(gatewayAdminErrors.aliasTaken, { pointer: '/alias' });
  }
  return others;
}
