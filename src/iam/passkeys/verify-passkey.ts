import { type ApiError, apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { actorOf, appendAudit } from '../audit/audit-entry.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { consumeState, isStateConsumed, openState } from '../short-lived-state.ts';
import type { Transaction } from '../../storage/schema.ts';
import { ANONYMOUS } from '../principal.ts';
import { findUser } from '../users/user-store.ts';
import type { AuthenticationResponse } from './passkey-schemas.ts';
import { type Passkey, findPasskeyByCredential, recordPasskeyUse } from './passkey-store.ts';
import { CEREMONY_MS, relyingParty } from './relying-party.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** A passkey whose person holds it and has unlocked it just now. */
export interface VerifiedPasskey {
  passkey: Passkey;
  /** The signature counter of the authenticator. */
  signCount: number;
  /** Of the options, to be marked as used. */
  state: string;
}

/** What a browser sends back from its authenticator. */
export interface PasskeyAnswer {
  state: string;
  response: AuthenticationResponse;
}

/**
 * Checks a response to the options of a sign-in. {@link usePasskey} then uses the state up.
 * @throws ApiError 3066 for a state that is used or too old, 3069 for an answer that proves nothing
 */
export async function verifyPasskey(
  services: IamServices,
  { state, response }: PasskeyAnswer,
  request: RequestFacts,
): Promise<VerifiedPasskey> {
  const { database } = services;
  const begun = openState(services, 'passkey_authentication', state);
  if (begun === undefined || (await isStateConsumed(database.read, state))) {
    throw apiError(iamErrors.passkeyStateExpired);
  }
  const { challenge } = begun as { challenge: string };
  const passkey = await findPasskeyByCredential(database.read, response.id);
  if (passkey === undefined) throw refusePasskey(services, request, 'it is unknown');
  const assertion = await verifyAssertion(response, challenge, relyingParty(services), passkey);
  if (assertion.kind === 'wrong') throw refusePasskey(services, request, assertion.cause);
  if (assertion.kind === 'counter_went_back') {
    // The same response, sent twice at once.
    if (await isStateConsumed(database.read, state)) throw apiError(iamErrors.passkeyStateExpired);
    await noteCounterWentBack(services, passkey, assertion.signCount, request);
    throw refusePasskey(services, request, 'its signature counter did not increase');
  }
  const person = await findUser(database.read, passkey.userId);
  if (person?.lockedAtMs !== undefined) {
    throw refusePasskey(services, request, 'its user is locked');
  }
  return { passkey, signCount: assertion.signCount, state };
}

/**
 * Uses a verified passkey and its state, as part of the sign-in.
 * @returns false if the passkey was deleted or used at the same time
 * @throws ApiError 3066 if the state was used before
 */
export async function usePasskey(
  tx: Transaction,
  { passkey, signCount, state }: VerifiedPasskey,
  nowMs: number,
): Promise<boolean> {
  if (!(await consumeState(tx, state, CEREMONY_MS, nowMs))) {
    throw apiError(iamErrors.passkeyStateExpired);
  }
  return recordPasskeyUse(tx, passkey, signCount, nowMs);
}

/** The refusal of a passkey; why, is not told to whoever has shown it. */
export function refusePasskey(
  { credentials }: Pick<IamServices, 'credentials'>,
  { ip }: RequestFacts,
  cause: unknown,
): ApiError {
  credentials.countWrong(ip);
  return apiError(iamErrors.passkeyRefused, { cause });
}

/** Somebody may have a copy of the authenticator: its owner must be able to find that out. */
async function noteCounterWentBack(
  { database, clock }: IamServices,
  passkey: Passkey,
  signCount: number,
  request: RequestFacts,
): Promise<void> {
  const description = `Refused a passkey whose signature counter did not increase (${passkey.signCount} to ${signCount}). The passkey may have been copied`;
  const { status } = iamErrors.passkeyRefused;
  await database.transaction((tx) =>
    appendAudit(
      tx,
      {
        chain: { userId: passkey.userId },
        action: { type: 'sign_in', result: 'failure', description },
        // Who it was, is just what is not known.
        actor: actorOf(ANONYMOUS, request),
        resource: { type: 'passkey', id: passkey.id, product: 'two_factor' },
        raw: { request, statusCode: status },
      },
      clock.now(),
    ),
  );
}
