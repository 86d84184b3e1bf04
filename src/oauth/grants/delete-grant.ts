import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { defineSessionRoute } from '../../iam/route.ts';
import { oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { GrantParams, grantChange } from './grant-presenter.ts';
import { deleteGrant } from './grant-store.ts';

export const deleteGrantRoute = ({ changes }: OAuthServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/user/oauth_grants/:grant_id',
    operationId: 'delete-oauth-grant',
    section: 'Authorized apps',
    summary: 'Take back what you have let an OAuth client do',
    description:
      'Every code and token that came from it ends at once on this node and within one second on ' +
      'every other. The logs of the accounts in which it counted tell of it too.',
    access: 'session',
    params: GrantParams,
    result: Type.Object({ id: Type.String() }),
    errors: [oauthErrors.grantNotFound],
    async handler({ principal, params, request }) {
      const { user } = principal;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const grant = await deleteGrant(tx, announce, user.id, params.grant_id);
        if (grant === undefined) throw apiError(oauthErrors.grantNotFound);
        const description = 'Took back what an OAuth client was allowed';
        const change = {
          ...grantChange(grant, { userId: user.id }, 'revoke', description),
          request: {
            client_id: grant.clientId,
            accounts: grant.accountIds,
            scopes: grant.scopes,
          },
        };
        audit(change);
        for (const { accountId } of user.memberships) {
          // Who is no member any more writes nothing into the log of an account.
          if (grant.accountIds.includes(accountId)) audit({ ...change, chain: { accountId } });
        }
        return { result: { id: grant.id } };
      });
    },
  });
