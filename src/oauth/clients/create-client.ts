import { ApiError, apiError } from '../../http/errors.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { clientBodyFaults, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { beginVerification } from '../verification/verification.ts';
import { clientChange, presentClient } from './client-presenter.ts';
import { CLIENT_RECORD, CreateClientSchema, CreatedClientSchema } from './client-schemas.ts';
import { type OAuthClient, insertClient, lockAndCountClients } from './client-store.ts';
import { findClientFaults, readNewClient } from './parse-client-input.ts';

/** The list of an account's clients has no pages, so it must have an end. */
export const MAX_CLIENTS_PER_ACCOUNT = 1_000;

export const createClientRoute = ({
  clock,
  changes,
  verifications,
  redirectRules,
}: OAuthServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/oauth_clients',
    operationId: 'create-oauth-client',
    section: 'OAuth clients',
    summary: 'Create an OAuth client',
    description:
      'A new client is private: only members of its account can authorize it. The response contains the secret, which is shown only once. All lists of a client together have at most 32 KiB.',
    access: 'oauth-clients.write',
    params: AccountParams,
    body: CreateClientSchema,
    bodyFaults: clientBodyFaults,
    furtherBodyFaults: ({ body }) =>
      Promise.resolve(findClientFaults(body, undefined, redirectRules)),
    record: CLIENT_RECORD,
    result: CreatedClientSchema,
    errors: [
      oauthErrors.unsupportedGrantType,
      oauthErrors.unsupportedResponseType,
      oauthErrors.invalidRedirectUri,
      oauthErrors.unknownScope,
      oauthErrors.tooManyClients,
    ],
    async handler({ principal, params, body, request }) {
      const faults = findClientFaults(body, undefined, redirectRules);
      if (faults.length > 0) throw new ApiError(oauthErrors.invalidField.status, faults);
      const nowMs = clock.now();
      const fields = readNewClient(body);
      const secret = fields.authMethod === 'none' ? undefined : createSecret('lkcs_');
      const client: OAuthClient = {
        id: createId(),
        accountId: params.account_id,
        ...fields,
        visibility: 'private',
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        promotedAtMs: undefined,
        secrets: secret === undefined ? [] : [{ createdAtMs: nowMs, lastUsedAtMs: undefined }],
        verification:
          fields.clientUri === undefined
            ? undefined
            : beginVerification(fields.clientUri, verifications.rules, nowMs),
      };
      const reply = await changes.make({ principal, request, body }, async ({ tx, audit }) => {
        const count = await lockAndCountClients(tx, client.accountId);
        if (count >= MAX_CLIENTS_PER_ACCOUNT) throw tooManyClients();
        await insertClient(tx, client, secret === undefined ? undefined : digestSecret(secret));
        audit(clientChange(client, 'create', 'Created an OAuth client'));
        const shown = presentClient(client);
        return { result: secret === undefined ? shown : { ...shown, client_secret: secret } };
      });
      if (client.verification !== undefined) verifications.kick();
      return reply;
    },
  });

function tooManyClients(): ApiError {
  return apiError(oauthErrors.tooManyClients, {
    message: `${oauthErrors.tooManyClients.message}: an account has at most ${MAX_CLIENTS_PER_ACCOUNT}`,
  });
}
