import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { storeState, deleteStates } from '../short-lived-state.ts';
import { defineSessionRoute } from '../route.ts';
import { requireRecentAuthentication } from '../sessions/recent-authentication.ts';
import { CeremonySchema } from './passkey-schemas.ts';
import { MAX_PASSKEYS, listPasskeys } from './passkey-store.ts';
import { ALGORITHMS, CEREMONY_MS, relyingParty, userHandleOf } from './relying-party.ts';
import { loadWebAuthn } from './web-authn.ts';

export const createRegistrationOptionsRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/passkeys/options',
    operationId: 'create-passkey-registration-options',
    section: 'Two-factor authentication',
    summary: 'Start the registration of a passkey',
    description:
      'Send the response of the authenticator to `POST /user/passkeys`. A new start invalidates the previous one.',
    access: 'session',
    result: CeremonySchema,
    errors: [iamErrors.tooManyPasskeys, iamErrors.staleAuthentication],
    async handler({ principal, request }) {
      const { clock, changes } = services;
      requireRecentAuthentication(principal, clock);
      const { user } = principal;
      const { id: rpID, name: rpName } = relyingParty(services);
      return changes.make({ principal, request }, async ({ tx, unchanged }) => {
        unchanged();
        const passkeys = await listPasskeys(tx, user.id);
        if (passkeys.length >= MAX_PASSKEYS) throw apiError(iamErrors.tooManyPasskeys);
        const { generateRegistrationOptions } = await loadWebAuthn();
        const options = await generateRegistrationOptions({
          rpID,
          rpName,
          userID: Buffer.from(userHandleOf(user.id), 'base64url'),
          userName: user.email,
          timeout: CEREMONY_MS,
          attestationType: 'none',
          supportedAlgorithmIDs: ALGORITHMS,
          excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({
            id,
            transports,
          })),
          // Who signs in with it is known by nothing else, and has to show nothing else.
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        });
        await deleteStates(tx, 'passkey_registration', user.id);
        const state = await storeState(tx, 'passkey_registration', {
          userId: user.id,
          payload: { challenge: options.challenge },
          expiresAtMs: clock.now() + CEREMONY_MS,
        });
        return { result: { state, options: { ...options } } };
      });
    },
  });
