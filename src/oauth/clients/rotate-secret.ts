import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { clientAnnouncement } from './client-directory.ts';
import { clientChange, presentSecrets } from './client-presenter.ts';
import { ClientParams, SecretsSchema } from './client-schemas.ts';
import { insertSecret } from './client-secret-store.ts';
import { lockClient, touchClient } from './client-store.ts';

export const rotateSecretRoute = ({ clock, changes }: OAuthServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/oauth_clients/:client_id/rotate_secret',
    operationId: 'rotate-oauth-client-secret',
    section: 'OAuth clients',
    summary: 'Rotate the secret of an OAuth client',
    description:
      'Adds a second secret. Both secrets work until you delete the old one. The new secret is shown only once. `secrets` of the client shows when the old one was last used.',
    access: 'oauth-clients.write',
    params: ClientParams,
    result: Type.Object({
      client_secret: Type.String({ description: 'The new secret' }),
      secrets: SecretsSchema,
    }),
    errors: [
      oauthErrors.oldSecretExists,
      oauthErrors.clientHasNoSecret,
      oauthErrors.clientNotFound,
    ],
    async handler({ principal, params, request }) {
      const secret = createSecret('lkcs_');
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const client = await lockClient(tx, params.account_id, params.client_id);
        if (client === undefined) throw clientNotFound();
        const [old, ...others] = client.secrets;
        if (old === undefined) throw apiError(oauthErrors.clientHasNoSecret);
        if (others.length > 0) throw apiError(oauthErrors.oldSecretExists);
        const nowMs = clock.now();
        // Which of the two is the old one must not hang on clocks that differ.
        const createdAtMs = Math.max(nowMs, old.createdAtMs + 1);
        await insertSecret(tx, client.id, digestSecret(secret), createdAtMs);
        await touchClient(tx, client.id, nowMs);
        announce(clientAnnouncement(client.id));
        audit(clientChange(client, 'rotate_secret', 'Rotated the secret of an OAuth client'));
        const secrets = [old, { createdAtMs, lastUsedAtMs: undefined }];
        return { result: { client_secret: secret, secrets: presentSecrets(secrets) } };
      });
    },
  });
