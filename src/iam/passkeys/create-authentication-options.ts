import { apiError, httpErrors } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { storeState } from '../short-lived-state.ts';
import { definePublicRoute } from '../route.ts';
import { CeremonySchema } from './passkey-schemas.ts';
import { CEREMONY_MS, relyingParty } from './relying-party.ts';
import { loadWebAuthn } from './web-authn.ts';

export const createAuthenticationOptionsRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'POST',
    path: '/user/sessions/passkey_options',
    operationId: 'create-passkey-authentication-options',
    section: 'Sessions',
    summary: 'Start a sign-in with a passkey',
    description:
      'The options do not name a credential: the authenticator selects a passkey for this server. Send its response to `POST /user/sessions/passkey`.',
    access: 'public',
    result: CeremonySchema,
    errors: [httpErrors.rateLimited],
    async handler({ principal, request }) {
      checkIsFromHere(request);
      const { clock, changes, passkeyBeginnings } = services;
      const refusal = passkeyBeginnings.admit(request.ip, 'sign-ins');
      if (refusal !== undefined) throw refusal;
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const options = await generateAuthenticationOptions({
        rpID: relyingParty(services).id,
        allowCredentials: [],
        timeout: CEREMONY_MS,
        userVerification: 'required',
      });
      return changes.make({ principal, request }, async ({ tx, unchanged }) => {
        unchanged();
        const state = await storeState(tx, 'passkey_authentication', {
          payload: { challenge: options.challenge },
          expiresAtMs: clock.now() + CEREMONY_MS,
        });
        return { result: { state, options: { ...options } } };
      });
    },
  });

/**
 * Another site's page has no use for the options, but could use up what is free for its visitors'
 * address. Old browsers, and what is none, do not say where a request comes from.
 * @throws ApiError 403
 */
function checkIsFromHere({ headers }: RequestFacts): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw apiError(httpErrors.forbidden, {
    message: 'Forbidden: a sign-in with a passkey must start on a page of this server',
  });
}
