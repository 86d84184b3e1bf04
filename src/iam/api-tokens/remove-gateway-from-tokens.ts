import type { ResourceTagging } from '../own-resources.ts';
import type { ChangeTools } from '../changes.ts';
import { tokenAnnouncement } from '../credentials.ts';
import type { StoredPolicy } from '../policy.ts';
import { tokenChange } from './token-ownership.ts';
import { deleteToken, lockTokensOfGateway, updateToken } from './token-store.ts';

interface DeletedGateway {
  accountId: string;
  gatewayId: string;
  /** Of the request that deletes the gateway. */
  requestId: string;
  /** Milliseconds since the Unix epoch. */
  nowMs: number;
}

/**
 * Removes a deleted gateway from the policies of the API tokens of its account and of the members. Otherwise these
 * tokens would work with a later gateway of the same id. Deletes a token that allows nothing else.
 */
export async function removeGatewayFromTokens(
  { tx, announce, audit }: ChangeTools,
  tagging: ResourceTagging,
  gateway: DeletedGateway,
): Promise<void> {
  const { accountId, gatewayId, requestId, nowMs } = gateway;
  for (const { token, digest } of await lockTokensOfGateway(tx, accountId, gatewayId)) {
    const policies = withoutGateway(token.policies, gateway);
    if (policies === token.policies) continue;
    const request = { name: token.name };
    if (policies.some(({ effect }) => effect === 'allow')) {
      await updateToken(tx, { ...token, policies, modifiedAtMs: nowMs });
      audit({
        ...tokenChange(token, 'update', 'Removed a deleted gateway from the policies'),
        request,
      });
    } else {
      await deleteToken(tx, token.id);
      if ('accountId' in token.owner) {
        await tagging.deleted(tx, { accountId, type: 'api_token', id: token.id }, requestId);
      }
      audit({ ...tokenChange(token, 'delete', 'Deleted an API token with its gateway'), request });
    }
    announce(tokenAnnouncement(digest));
  }
}

/** Keeps denials, so that a token never gains access. Returns the given policies if they do not allow the gateway. */
function withoutGateway(policies: StoredPolicy[], gateway: DeletedGateway): StoredPolicy[] {
  const remaining = policies.flatMap((policy) => {
    if (policy.effect === 'deny') return [policy];
    const resources = policy.resources.filter(
      (resource) =>
        !('accountId' in resource) ||
        resource.accountId !== gateway.accountId ||
        resource.gatewayId !== gateway.gatewayId,
    );
    if (resources.length === policy.resources.length) return [policy];
    return resources.length === 0 ? [] : [{ ...policy, resources }];
  });
  const isUnchanged =
    remaining.length === policies.length &&
    remaining.every((policy, index) => policy === policies[index]);
  return isUnchanged ? policies : remaining;
}
