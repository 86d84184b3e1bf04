import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../http/errors.ts';
import type { AuditedChange, ChangeTools } from '../../iam/changes.ts';
import { defineRoute } from '../../iam/route.ts';
import { clientBodyFaults, clientNotFound, oauthErrors } from '../oauth-errors.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { changeVerification } from '../verification/change-verification.ts';
import { storeVerification } from '../verification/verification-store.ts';
import { clientAnnouncement } from './client-directory.ts';
import { clientChange, presentClient } from './client-presenter.ts';
import {
  CLIENT_RECORD,
  ClientParams,
  ClientSchema,
  type UpdateClientInput,
  UpdateClientSchema,
} from './client-schemas.ts';
import { type OAuthClient, findClient, lockClient, updateClient } from './client-store.ts';
import { applyClientInput, findClientFaults } from './parse-client-input.ts';

export const updateClientRoute = (services: OAuthServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/oauth_clients/:client_id',
    operationId: 'update-oauth-client',
    section: 'OAuth clients',
    summary: 'Change an OAuth client',
    description:
      'Omitted members do not change. Lists are replaced as a whole and have at most 32 KiB together. Sending the unchanged client_uri restarts the verification of its host with the same text, unless it is still pending. A public client must keep its verified host, logo and permissions. It stays verified when its name, logo or redirect URIs change, because only the host of client_uri is verified. Users are asked for consent again before the first redirect to a new origin.',
    access: 'oauth-clients.write',
    params: ClientParams,
    body: UpdateClientSchema,
    bodyFaults: clientBodyFaults,
    async furtherBodyFaults({ params, body }) {
      const { account_id: accountId, client_id: clientId } = params;
      const stored = await findClient(services.database.read, accountId, clientId);
      if (stored === undefined) throw clientNotFound();
      return findClientFaults(body, stored, services.redirectRules);
    },
    record: CLIENT_RECORD,
    result: ClientSchema,
    errors: [
      oauthErrors.unsupportedGrantType,
      oauthErrors.unsupportedResponseType,
      oauthErrors.invalidRedirectUri,
      oauthErrors.unknownScope,
      oauthErrors.notReadyToBePublic,
      oauthErrors.publicIsPermanent,
      oauthErrors.frozenHost,
      oauthErrors.clientNotFound,
    ],
    async handler({ principal, params, body, request, checkRecord }) {
      const { changes, verifications } = services;
      const client = await changes.make({ principal, request, body }, async (tools) => {
        const stored = await lockClient(tools.tx, params.account_id, params.client_id);
        if (stored === undefined) throw clientNotFound();
        checkRecord(presentClient(stored));
        const faults = findClientFaults(body, stored, services.redirectRules);
        if (faults.length > 0) throw new ApiError(oauthErrors.invalidField.status, faults);
        return { result: presentClient(await changeClient(services, tools, stored, body)) };
      });
      if (body.client_uri !== undefined) verifications.kick();
      return client;
    },
  });

/** Stores what a body without faults makes of a client. */
async function changeClient(
  { clock, tagging, verifications }: OAuthServices,
  { tx, announce, audit, unchanged }: ChangeTools,
  stored: OAuthClient,
  body: UpdateClientInput,
): Promise<OAuthClient> {
  const nowMs = clock.now();
  const fields = applyClientInput(body, stored);
  const isPromoted = body.visibility === 'public' && stored.visibility === 'private';
  const changed: OAuthClient = {
    ...stored,
    ...fields,
    ...(isPromoted ? { visibility: 'public', promotedAtMs: nowMs } : {}),
    verification: changeVerification(
      stored,
      { clientUri: fields.clientUri, isSent: body.client_uri !== undefined },
      verifications.rules,
      nowMs,
    ),
  };
  if (isDeepStrictEqual(changed, stored)) {
    unchanged();
    return stored;
  }
  const updated = { ...changed, updatedAtMs: nowMs };
  await updateClient(tx, updated);
  announce(clientAnnouncement(stored.id));
  if (changed.verification !== stored.verification) {
    await storeVerification(tx, stored.id, changed.verification);
  }
  if (changed.name !== stored.name) {
    const resource = { accountId: stored.accountId, type: 'oauth_client', id: stored.id } as const;
    await tagging.renamed(tx, resource, changed.name);
  }
  audit(describeChange(stored, changed));
  return updated;
}

function describeChange(stored: OAuthClient, changed: OAuthClient): AuditedChange {
  if (changed.visibility !== stored.visibility) {
    return clientChange(stored, 'promote', 'Made an OAuth client public');
  }
  if (isDeepStrictEqual({ ...changed, verification: stored.verification }, stored)) {
    const text = 'Restarted the verification of the host of an OAuth client';
    return clientChange(stored, 'restart_verification', text);
  }
  return clientChange(stored, 'update', 'Changed an OAuth client');
}
