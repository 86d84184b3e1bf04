import { createId } from '../../lib/ids.ts';
import type { Transaction } from '../../storage/schema.ts';
import { deleteToken, lockTokensOfUser, updateToken } from '../api-tokens/token-store.ts';
import { showMembers } from '../audit/audit-view.ts';
import { endAuthorizationsInAccount } from '../authorizations.ts';
import type { ChangeTools } from '../changes.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { impliedPermissions } from '../permissions.ts';
import { EVERY_ACCOUNT, type StoredPolicy } from '../policy.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { type Member, deleteMember } from './member-store.ts';

/**
 * Ends a membership, or withdraws an invitation. With a membership, everything ends that the person has
 * let others do in the account: a later invitation does not bring it back. OAuth clients lose the account,
 * and API tokens of the person their permissions in it.
 */
export async function endMembership(
  { tx, announce, audit }: Pick<ChangeTools, 'tx' | 'announce' | 'audit'>,
  member: Member,
  nowMs: number,
): Promise<void> {
  const { accountId, user } = member;
  await deleteMember(tx, member);
  announce(userAnnouncement(user.id));
  if (member.status === 'pending') return;
  // Creating a token takes the same lock.
  await lockUser(tx, user.id);
  const authorizations = await endAuthorizationsInAccount(tx, announce, user.id, accountId);
  const digests = await endTokenPermissions(tx, user.id, accountId, nowMs);
  for (const digest of digests) announce(tokenAnnouncement(digest));
  if (authorizations === 0 && digests.length === 0) return;
  const description = 'Ended the grants and token permissions in an account';
  audit({
    chain: { userId: user.id },
    // The person has no right to know who has removed them.
    isAnonymous: true,
    type: 'end',
    description,
    resource: { type: 'membership', id: member.id, product: 'memberships' },
    request: { account_id: accountId, authorizations, tokens: digests.length },
    shows: { request: showMembers('account_id', 'authorizations', 'tokens') },
  });
}

/** @returns digests of the tokens that have changed or ended */
async function endTokenPermissions(
  tx: Transaction,
  userId: string,
  accountId: string,
  nowMs: number,
): Promise<string[]> {
  const changed: string[] = [];
  for (const { token, digest } of await lockTokensOfUser(tx, userId)) {
    const policies = withoutAccount(token.policies, accountId);
    if (policies === undefined) continue;
    changed.push(digest);
    if (policies.some(({ effect }) => effect === 'allow')) {
      await updateToken(tx, { ...token, policies, modifiedAtMs: nowMs });
    } else {
      await deleteToken(tx, token.id);
    }
  }
  return changed;
}

/**
 * Policies without what they allow in one account. Those for every account of the person stay, with one
 * that denies the same permissions in this account.
 * @returns undefined when nothing changes
 */
function withoutAccount(
  policies: readonly StoredPolicy[],
  accountId: string,
): StoredPolicy[] | undefined {
  const isIn = (resource: StoredPolicy['resources'][number], id: string): boolean =>
    'accountId' in resource && resource.accountId === id;
  const kept = policies.flatMap((policy) => {
    if (policy.effect === 'deny') return [policy];
    const resources = policy.resources.filter((resource) => !isIn(resource, accountId));
    return resources.length === 0 ? [] : [{ ...policy, resources }];
  });
  const everywhere = kept.filter(
    ({ effect, resources }) =>
      effect === 'allow' && resources.some((resource) => isIn(resource, EVERY_ACCOUNT)),
  );
  const permissions = [
    ...new Set(everywhere.flatMap((policy) => policy.permissions.flatMap(impliedPermissions))),
  ];
  if (permissions.length > 0) {
    kept.push({ id: createId(), effect: 'deny', permissions, resources: [{ accountId }] });
  }
  const before = policies.flatMap(({ resources }) => resources).length;
  const after = kept.flatMap(({ resources }) => resources).length;
  return permissions.length === 0 && before === after ? undefined : kept;
}
