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
    summary: 'Revoke the authorization of an OAuth client',
    description:
      'Also revokes all its codes and tokens, within one second on every node. The audit logs of the affected accounts contain the revocation.',
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
        const description = 'Revoked the authorization of an OAuth client';
        auditGrant(tools, grant, parties, 'revoke', description);
        return { result: { id: grant.id } };
      });
    },
  });
