import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { sealState } from '../short-lived-state.ts';
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
    async handler() {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const options = await generateAuthenticationOptions({
        rpID: relyingParty(services).id,
        allowCredentials: [],
        timeout: CEREMONY_MS,
        userVerification: 'required',
      });
      const expiresAtMs = services.clock.now() + CEREMONY_MS;
      // Every view of the sign-in page asks for options, so nothing is stored for them.
      const payload = { challenge: options.challenge };
      const state = sealState(services, 'passkey_authentication', payload, expiresAtMs);
      return { result: { state, options: { ...options } } };
    },
  });
