import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { clientBodyFaults, clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { clientChange } from './client-change.ts';
import { presentClient } from './client-presenter.ts';
import { ClientParams, ClientSchema, UpdateClientSchema } from './client-schemas.ts';
import { findClient, lockClient, updateClient } from './client-store.ts';
import { applyClientInput, findClientFaults } from './parse-client-input.ts';

export const updateClientRoute = ({ database, clock, changes, tagging }: OAuthServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/oauth_clients/:client_id',
    operationId: 'update-oauth-client',
    section: 'OAuth clients',
    summary: 'Change an OAuth client',
    description: 'Fields that are not sent stay as they are; lists are replaced whole.',
    access: 'oauth-clients.write',
    params: ClientParams,
    body: UpdateClientSchema,
    bodyFaults: clientBodyFaults,
    async furtherBodyFaults({ params, body }) {
      const stored = await findClient(database.read, params.account_id, params.client_id);
      if (stored === undefined) throw clientNotFound();
      return findClientFaults(body, stored);
    },
    result: ClientSchema,
    errors: [
      oauthErrors.unsupportedGrantType,
      oauthErrors.unsupportedResponseType,
      oauthErrors.invalidRedirectUri,
      oauthErrors.unknownScope,
      oauthErrors.notReadyToBePublic,
      oauthErrors.clientNotFound,
    ],
    async handler({ principal, params, body, request }) {
      return changes.make({ principal, request, body }, async ({ tx, audit, unchanged }) => {
        const stored = await lockClient(tx, params.account_id, params.client_id);
        if (stored === undefined) throw clientNotFound();
        const faults = findClientFaults(body, stored);
        if (faults.length > 0) throw new ApiError(oauthErrors.invalidField.status, faults);
        const changed = { ...stored, ...applyClientInput(body, stored) };
        if (isDeepStrictEqual(changed, stored)) {
          unchanged();
          return { result: presentClient(stored) };
        }
        const updatedAtMs = clock.now();
        await updateClient(tx, stored.id, changed, updatedAtMs);
        if (changed.name !== stored.name) {
          const resource = {
            accountId: stored.accountId,
            type: 'oauth_client',
            id: stored.id,
          } as const;
          await tagging.renamed(tx, resource, changed.name);
        }
        audit(clientChange(stored, 'update', 'Changed an OAuth client'));
        return { result: presentClient({ ...changed, updatedAtMs }) };
      });
    },
  });
