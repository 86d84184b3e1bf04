import { api, resultOf } from './client.ts';
import type { Edit } from './edit.ts';
import {
  type Gateway,
  type GatewayPlace,
  type GatewaySettings,
  gatewayQuery,
  gatewaysKey,
  gatewaysQuery,
  pathOf,
  updateGateway,
} from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { operations } from './schema.d.ts';
import { refreshTokens } from './tokens.ts';

type CreateToken = operations['create-gateway-token'];

/** What a token for one gateway is made of. */
export type GatewayTokenBody = CreateToken['requestBody']['content']['application/json'];

/** Its value is shown this once. */
export type GatewayToken = CreateToken['responses'][200]['content']['application/json']['result'];

/** The settings of a gateway as they are sent back, none of them left out. */
export function settingsOf(gateway: Gateway): GatewaySettings {
  const {
    id: _id,
    is_default: _isDefault,
    created_at: _createdAt,
    modified_at: _modifiedAt,
    ...settings
  } = gateway;
  return settings as GatewaySettings;
}

/** The last change that was begun: the next one waits for it. */
let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Changes some settings of a gateway and leaves the others as they are. The API takes all of them, of which
 * somebody may have changed some since they were shown; so may another form of the page, whose change comes
 * to its end first.
 * @param edit begins with the gateway as the form shows it
 * @throws EditConflict if somebody has changed the same settings since then
 */
export function changeGateway(
  place: GatewayPlace,
  edit: Edit<Gateway>,
  changes: Partial<GatewaySettings>,
): Promise<Gateway> {
  const change = lastChange.then(() => sendChange(place, edit, changes));
  lastChange = change.catch(() => undefined);
  return change;
}

async function sendChange(
  place: GatewayPlace,
  edit: Edit<Gateway>,
  changes: Partial<GatewaySettings>,
): Promise<Gateway> {
  const { accountId, gatewayId } = place;
  const query = gatewayQuery(accountId, gatewayId);
  const members = Object.keys(changes) as (keyof Gateway)[];
  const changed = await edit.save(members, (headers, current) =>
    updateGateway(place, { ...settingsOf(current), ...changes }, headers),
  );
  // What is being read may be older.
  await queryClient.cancelQueries({ queryKey: query.queryKey });
  queryClient.setQueryData(query.queryKey, changed);
  await refreshGatewayList(accountId);
  return changed;
}

/** After a change: whatever lists the gateways of an account reads them anew. */
export async function refreshGatewayList(accountId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: gatewaysQuery(accountId).queryKey });
}

/** Forgets a gateway that is no more, once no page shows it. */
export async function forgetGateway({ accountId, gatewayId }: GatewayPlace): Promise<void> {
  queryClient.removeQueries({
    queryKey: gatewaysKey(accountId),
    predicate: ({ queryKey }) => queryKey.includes(gatewayId),
  });
  await refreshGatewayList(accountId);
}

/** Makes a token that may send requests through one gateway, and nothing else. The same key twice makes one. */
export async function createGatewayToken(
  { accountId, gatewayId }: GatewayPlace,
  body: GatewayTokenBody,
  idempotencyKey: string,
): Promise<GatewayToken> {
  const path = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/tokens';
  const headers = { 'idempotency-key': idempotencyKey };
  const params = { path: pathOf(accountId, gatewayId) };
  const token = await resultOf(api.POST(path, { params, headers, body }));
  void refreshTokens({ kind: 'account', accountId });
  return token;
}
