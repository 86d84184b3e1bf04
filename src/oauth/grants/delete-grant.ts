import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { defineSessionRoute } from '../../iam/route.ts';
import { findClientById } from '../clients/client-store.ts';
import { oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { auditGrant } from './audit-grant.ts';
import { GrantParams } from './grant-presenter.ts';
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
      return changes.make({ principal, request }, async (tools) => {
        const { tx, announce } = tools;
        const grant = await deleteGrant(tx, announce, user.id, params.grant_id);
        if (grant === undefined) throw apiError(oauthErrors.grantNotFound);
        const name = (await findClientById(tx, grant.clientId))?.name;
        const parties = { user, client: { id: grant.clientId, name } };
        const description = 'Took back what an OAuth client was allowed';
        auditGrant(tools, grant, parties, 'revoke', description);
        return { result: { id: grant.id } };
      });
    },
  });
