import { type ApiError, apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Db } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import {
  type StoredState,
  type Submission,
  findState,
  keepResult,
  redeemState,
  deleteStates,
} from '../short-lived-state.ts';
import { ANONYMOUS } from '../principal.ts';
import { type BegunSession, beginSession } from '../sessions/complete-sign-in.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { forgetDevices } from '../sessions/known-device.ts';
import { type User, findUser, foldEmail, lockUser, updateUser } from '../users/user-store.ts';
import { removeUnverifiedCredentials, verifyEmail } from '../users/verify-email.ts';
import { checkNewPassword } from './check-new-password.ts';
import type { ResetPayload } from './issue-reset-link.ts';
import { queuePasswordNotice } from './password-mails.ts';
import { requirePasswords } from './require-passwords.ts';

/** The person who may choose a password with a link; undefined when the link is no good any more. */
export async function findResetPerson(
  db: Db,
  token: string,
  nowMs: number,
): Promise<User | undefined> {
  const found = await findState(db, 'password_reset', token, nowMs);
  return personOf(db, found);
}

async function personOf(db: Db, redeemed: StoredState | undefined): Promise<User | undefined> {
  const user = redeemed?.userId === undefined ? undefined : await findUser(db, redeemed.userId);
  // Who is locked out learns nothing more than that the link is no good.
  return user?.lockedAtMs === undefined ? user : undefined;
}

/** A link that a user has followed, and the new password. */
export interface PasswordReset {
  token: string;
  newPassword: string;
  request: RequestFacts;
  /** Of a form, whose repetition gets the same session. */
  submission?: Submission;
}

/**
 * Sets the password that a person has chosen with a link, ends all sessions of the person, and begins
 * a new one. It is incomplete when the person has a second factor: the link alone lets nobody past it.
 *
 * Where it was never shown that the person reads the mail of the address, everything goes that was set
 * up before, second factors included, and the session is complete. That is by choice: somebody else
 * may have planted it all. What the person of a verified address has, passkeys and API tokens above
 * all, stays as it is.
 * @throws ApiError 3044 when the link is no good, 3043 when the password is not
 */
export async function resetPassword(
  services: IamServices,
  { token, newPassword, request, submission }: PasswordReset,
): Promise<BegunSession> {
  requirePasswords(services);
  const { database, clock, brand, changes, mail } = services;
  const person = await findResetPerson(database.read, token, clock.now());
  if (person === undefined) throw invalidResetLink();
  checkNewPassword(newPassword, { email: person.email, brand });
  // The link is valid, so this is not a stranger.
  const requester = { ip: request.ip, isKnown: true };
  const passwordHash = await services.passwords.hash(newPassword, requester);
  const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const { tx, announce } = tools;
    const nowMs = clock.now();
    const { id: userId } = person;
    await lockUser(tx, userId);
    const redeemed = await redeemState(tx, 'password_reset', token, nowMs);
    const user = await personOf(tx, redeemed);
    if (redeemed === undefined || user === undefined) throw invalidResetLink();
    const { email } = user;
    const { mailed_to: mailedTo } = redeemed.payload as ResetPayload;
    const isMailed = mailedTo !== null && foldEmail(mailedTo) === foldEmail(email);
    if (isMailed) await verifyEmail(tx, announce, userId, nowMs);
    // A link that was handed over, too, may have come to somebody other than who was here before.
    else await removeUnverifiedCredentials(tx, announce, userId);
    await updateUser(tx, userId, { passwordHash });
    await endSessions(tools, userId);
    await forgetDevices(tx, userId);
    await deleteStates(tx, 'password_reset', userId);
    await queuePasswordNotice(tx, services, email);
    tools.audit({
      chain: { userId },
      type: 'reset_password',
      description: 'Set a password with a reset link and ended all sessions',
      actor: { id: userId, email },
      resource: { type: 'user', id: userId, product: 'user' },
      shows: {},
    });
    const session = await beginSession(tools, services, { userId, methods: ['password'], request });
    if (submission !== undefined) await keepResult(tx, submission, userId, session, nowMs);
    return { result: session };
  });
  mail.kick();
  return result;
}

function invalidResetLink(): ApiError {
  return apiError(iamErrors.invalidResetLink);
}
