import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { presentClient } from './client-presenter.ts';
import { ClientSchema } from './client-schemas.ts';
import { findClients, listClientIds } from './client-store.ts';

// The largest client has some 40 KB: to read so many takes a few milliseconds.
const CLIENTS_PER_TURN = 20;

export const listClientsRoute = ({ database }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/oauth_clients',
    operationId: 'list-oauth-clients',
    section: 'OAuth clients',
    summary: 'List the OAuth clients of an account',
    description: 'The response contains all clients, oldest first.',
    access: 'oauth-clients.read',
    params: AccountParams,
    result: Type.Array(ClientSchema),
    async handler({ params }) {
      const { account_id: accountId } = params;
      const ids = await listClientIds(database.read, accountId);
      const result = [];
      for (let start = 0; start < ids.length; start += CLIENTS_PER_TURN) {
        if (start > 0) await nextTurn();
        const some = ids.slice(start, start + CLIENTS_PER_TURN);
        const clients = await findClients(database.read, accountId, some);
        result.push(...clients.map(presentClient));
      }
      return { result };
    },
  });
