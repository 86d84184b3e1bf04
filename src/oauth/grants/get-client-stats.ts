import { Type } from 'typebox';
import { defineRoute } from '../../iam/route.ts';
import { findClientName } from '../clients/client-store.ts';
import { ClientParams } from '../clients/client-schemas.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { countGrants } from './count-grants.ts';

const DAY_MS = 86_400_000;

export const getClientStatsRoute = ({ database, clock }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/oauth_clients/:client_id/stats',
    operationId: 'get-oauth-client-stats',
    section: 'OAuth clients',
    summary: 'Count the users of an OAuth client',
    description:
      'Returns numbers, not identities. A user is active if they authorized the client, or the client acted for them, in the period. Usage appears within two minutes.',
    access: 'oauth-clients.read',
    params: ClientParams,
    result: Type.Object({
      authorized_users: Type.Integer({ description: 'Users with an active authorization' }),
      grants: Type.Integer({
        description: 'Authorizations: one for each set of accounts that a user has selected',
      }),
      active_users: Type.Object({
        last_day: Type.Integer(),
        last_7_days: Type.Integer(),
        last_30_days: Type.Integer(),
      }),
    }),
    errors: [oauthErrors.clientNotFound],
    async handler({ params }) {
      const { account_id: accountId, client_id: clientId } = params;
      const name = await findClientName(database.read, accountId, clientId);
      if (name === undefined) throw clientNotFound();
      const nowMs = clock.now();
      const since = [1, 7, 30].map((days) => nowMs - days * DAY_MS);
      const { users, grants, active } = await countGrants(database, clientId, since);
      const [lastDay = 0, last7Days = 0, last30Days = 0] = active;
      return {
        result: {
          authorized_users: users,
          grants,
          active_users: { last_day: lastDay, last_7_days: last7Days, last_30_days: last30Days },
        },
      };
    },
  });
