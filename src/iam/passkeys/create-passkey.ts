import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { redeemState } from '../short-lived-state.ts';
import { defineSessionRoute } from '../route.ts';
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts';
import { beforeFactorIsAdded } from '../second-factor/before-factor-is-added.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { passkeyChange, presentPasskey } from './passkey-presenter.ts';
import { NewPasskeySchema, PasskeyName, RegistrationResponseSchema } from './passkey-schemas.ts';
import { MAX_PASSKEYS, insertPasskey, listPasskeys } from './passkey-store.ts';
import { relyingParty } from './relying-party.ts';
import { verifyRegistration } from './verify-registration.ts';

export const createPasskeyRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/passkeys',
    operationId: 'create-passkey',
    section: 'Two-factor authentication',
    summary: 'Register a passkey',
    description:
      'A passkey can replace the password, or be the second factor after a password. With the first second factor, the response contains recovery codes, and all other sessions of the user end.',
    access: 'session',
    body: Type.Object(
      { state: Type.String(), name: PasskeyName, response: RegistrationResponseSchema },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: NewPasskeySchema,
    errors: [
      iamErrors.passkeyStateExpired,
      iamErrors.passkeyUnacceptable,
      iamErrors.passkeyRegistered,
      iamErrors.tooManyPasskeys,
    ],
    async handler({ principal, body, request }) {
      const { clock, changes } = services;
      const { id: userId } = principal.user;
      return changes.make({ principal, request, body }, async (tools) => {
        const { tx, announce, audit } = tools;
        const nowMs = clock.now();
        await lockUser(tx, userId);
        const begun = await redeemState(tx, 'passkey_registration', body.state, nowMs);
        if (begun?.userId !== userId) throw apiError(iamErrors.passkeyStateExpired);
        const { challenge } = begun.payload as { challenge: string };
        const party = relyingParty(services);
        const credential = await verifyRegistration(body.response, challenge, party);
        if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) {
          throw apiError(iamErrors.tooManyPasskeys);
        }
        const passkey = {
          id: createId(),
          userId,
          name: body.name,
          ...credential,
          transports: body.response.response.transports ?? [],
          createdAtMs: nowMs,
          lastUsedAtMs: undefined,
        };
        const isFirst = await beforeFactorIsAdded(tools, principal);
        if (!(await insertPasskey(tx, passkey))) throw apiError(iamErrors.passkeyRegistered);
        announce(userAnnouncement(userId));
        audit(passkeyChange(passkey, 'create', 'Registered a passkey'));
        const codes = isFirst
          ? { recovery_codes: await replaceRecoveryCodes(tx, userId) }
          : undefined;
        return { result: { ...presentPasskey(passkey), ...codes } };
      });
    },
  });
