import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { acceptInvitation, findInvitation } from '../members/accept-invitation.ts';
import { ANONYMOUS } from '../principal.ts';
import { type BegunSession, beginSession } from '../sessions/complete-sign-in.ts';
import { type Submission, keepResult } from '../short-lived-state.ts';
import { updateUser } from '../users/user-store.ts';
import { checkNewPassword } from './check-new-password.ts';
import { requirePasswords } from './require-passwords.ts';

/** What somebody fills in who was invited and is new here. */
export interface NewPerson {
  /** Of the link. */
  secret: string;
  firstName: string | undefined;
  lastName: string | undefined;
  password: string;
  request: RequestFacts;
  /** Of the form, whose repetition gets the same session. */
  submission: Submission;
}

/**
 * Accepts an invitation as a person who has nothing to sign in with yet, gives the person a password,
 * and signs in.
 * @throws ApiError 3032 when the invitation is none, or its person is not new; 3043 when the password
 *   is not suitable
 */
export async function acceptWithPassword(
  services: IamServices,
  { secret, firstName, lastName, password, request, submission }: NewPerson,
): Promise<BegunSession> {
  requirePasswords(services);
  const { database, clock, brand, changes } = services;
  const found = await findInvitation(database.read, secret, clock.now());
  if (found === undefined || found.userHasCredential) throw apiError(iamErrors.invitationExpired);
  checkNewPassword(password, { email: found.email, brand });
  // The link is valid, so this is not a stranger.
  const requester = { ip: request.ip, isKnown: true };
  const passwordHash = await services.passwords.hash(password, requester);
  const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const invitation = await acceptInvitation(tools, secret, clock.now());
    if (invitation === undefined || invitation.userHasCredential) {
      throw apiError(iamErrors.invitationExpired);
    }
    const { userId } = invitation;
    await updateUser(tools.tx, userId, { firstName, lastName, passwordHash });
    const session = await beginSession(tools, services, { userId, methods: ['password'], request });
    await keepResult(tools.tx, submission, userId, session, clock.now());
    return { result: session };
  });
  return result;
}
