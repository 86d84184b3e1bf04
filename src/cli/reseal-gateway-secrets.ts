import type { Resealing } from '../lib/sealing.ts';
import type { Transaction } from '../storage/schema.ts';
import { deferredCallSealer } from '../gateway/deferred/deferred-calls.ts';
import { parseOtelSettings } from '../gateway-admin/gateways/otel-settings.ts';
import { resealOtel } from '../gateway-admin/gateways/otel-secrets.ts';
import { keySealer, sealingContext } from '../gateway-admin/provider-keys/provider-config-store.ts';

/** Encrypts the keys of providers, the headers of spans and deferred calls with another master key. */
export async function resealGatewaySecrets(tx: Transaction, resealing: Resealing): Promise<void> {
  const configs = await tx
    .selectFrom('gateway_provider_configs')
    .select(['account_id', 'gateway_id', 'id', 'sealed_secret'])
    .execute();
  for (const {
    account_id: accountId,
    gateway_id: gatewayId,
    id,
    sealed_secret: sealed,
  } of configs) {
    const context = sealingContext({ accountId, gatewayId, id });
    await tx
      .updateTable('gateway_provider_configs')
      .set({ sealed_secret: resealing.reseal(sealed, keySealer, context) })
      .where('account_id', '=', accountId)
      .where('gateway_id', '=', gatewayId)
      .where('id', '=', id)
      .execute();
  }
  const gateways = await tx
    .selectFrom('gateways')
    .select(['account_id', 'id', 'otel'])
    .where('otel', 'is not', null)
    .execute();
  for (const { account_id: accountId, id, otel } of gateways) {
    const settings = resealOtel({ accountId, id }, parseOtelSettings(otel) ?? [], resealing);
    await tx
      .updateTable('gateways')
      .set({ otel: JSON.stringify(settings) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  }
  const calls = await tx.selectFrom('gateway_deferred_calls').select(['id', 'sealed']).execute();
  for (const { id, sealed } of calls) {
    await tx
      .updateTable('gateway_deferred_calls')
      .set({ sealed: resealing.reseal(sealed, deferredCallSealer, id) })
      .where('id', '=', id)
      .execute();
  }
}
