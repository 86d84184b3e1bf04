import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { clientChange } from './client-presenter.ts';
import { clientAnnouncement } from './client-directory.ts';
import { ClientParams } from './client-schemas.ts';
import { deleteSecretsBefore } from './client-secret-store.ts';
import { lockClient, touchClient } from './client-store.ts';

export const deleteOldSecretRoute = ({ clock, changes }: OAuthServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/oauth_clients/:client_id/rotate_secret',
    operationId: 'delete-old-oauth-client-secret',
    section: 'OAuth clients',
    summary: 'Delete the old secret of an OAuth client',
    description:
      'Completes a rotation: only the new secret works afterwards. `secrets` of the client shows when the old one was last used.',
    access: 'oauth-clients.write',
    params: ClientParams,
    result: Type.Object({ id: Type.String({ description: 'Id of the client' }) }),
    errors: [
      oauthErrors.noRotatedSecret,
      oauthErrors.clientHasNoSecret,
      oauthErrors.clientNotFound,
    ],
    async handler({ principal, params, request }) {
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const client = await lockClient(tx, params.account_id, params.client_id);
        if (client === undefined) throw clientNotFound();
        const newest = client.secrets.at(-1);
        if (newest === undefined) throw apiError(oauthErrors.clientHasNoSecret);
        if (client.secrets.length === 1) throw apiError(oauthErrors.noRotatedSecret);
        await deleteSecretsBefore(tx, client.id, newest.createdAtMs);
        await touchClient(tx, client.id, clock.now());
        announce(clientAnnouncement(client.id));
        audit(
          clientChange(client, 'delete_old_secret', 'Deleted the old secret of an OAuth client'),
        );
        return { result: { id: client.id } };
      });
    },
  });
