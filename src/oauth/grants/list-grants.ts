import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { callerOf } from '../../iam/principal.ts';
import { defineRoute } from '../../iam/route.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { GrantSchema, presentGrant } from './grant-presenter.ts';
import { listGrants } from './grant-list-store.ts';

const MAX_PER_PAGE = 100;

export const listGrantsRoute = ({ database }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/user/oauth_grants',
    operationId: 'list-oauth-grants',
    section: 'Authorized apps',
    summary: 'List the OAuth clients that you have authorized',
    description:
      'Latest decision first. An OAuth client sees only the authorization of its own access token.',
    access: { self: 'user-details.read' },
    query: Type.Object(pageQuery(MAX_PER_PAGE)),
    result: Type.Array(GrantSchema),
    paging: 'page',
    async handler({ principal, query }) {
      const page = readPage(query);
      const user = callerOf(principal);
      const { grants, totalCount } = await listGrants(
        database.read,
        {
          userId: user.id,
          accountIds: user.memberships.map(({ accountId }) => accountId),
          // Which other clients a person uses, and in which other accounts, is no business of a client.
          grantId: principal.type === 'oauth' ? principal.authorization.grantId : undefined,
        },
        page,
      );
      const shown = grants.map(({ grant, client, accounts }) =>
        presentGrant(grant, client, accounts),
      );
      return pageReply(shown, page, totalCount);
    },
  });
