import type { ResourceTagging } from '../own-resources.ts';
import type { ChangeTools } from '../changes.ts';
import { tokenAnnouncement } from '../credentials.ts';
import type { StoredPolicy } from '../policy.ts';
import { tokenChange } from './token-ownership.ts';
import { deleteToken, lockTokensOfGateway } from './token-store.ts';

interface DeletedGateway {
  accountId: string;
  gatewayId: string;
  /** Of the request that deletes the gateway. */
  requestId: string;
}

/**
 * Deletes the API tokens that allow nothing but one gateway, when the gateway is deleted. Otherwise they would work with
 * a later gateway of the same id.
 */
export async function deleteGatewayTokens(
  { tx, announce, audit }: ChangeTools,
  tagging: ResourceTagging,
  { accountId, gatewayId, requestId }: DeletedGateway,
): Promise<void> {
  for (const { token, digest } of await lockTokensOfGateway(tx, accountId, gatewayId)) {
    if (!allowsOnly(token.policies, accountId, gatewayId)) continue;
    await deleteToken(tx, token.id);
    await tagging.deleted(tx, { accountId, type: 'api_token', id: token.id }, requestId);
    announce(tokenAnnouncement(digest));
    audit({
      ...tokenChange(token, 'delete', 'Deleted an API token with its gateway'),
      request: { name: token.name },
    });
  }
}

function allowsOnly(
  policies: readonly StoredPolicy[],
  accountId: string,
  gatewayId: string,
): boolean {
  const resources = policies
    .filter(({ effect }) => effect === 'allow')
    .flatMap((policy) => policy.resources);
  return resources.every(
    (resource) =>
      'accountId' in resource &&
      resource.accountId === accountId &&
      resource.gatewayId === gatewayId,
  );
}
