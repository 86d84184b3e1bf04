import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { unauthenticated } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import type { SessionPrincipal } from '../principal.ts';
import { type Admission, admitAttempt, countUnlessTrouble } from '../sessions/sign-in-limits.ts';
import { findUser } from '../users/user-store.ts';
import { requirePasswords } from './require-passwords.ts';

/** A password that was right. */
export interface CheckedPassword {
  /** The attempt, to be forgiven with the change that follows, or taken back when that fails. */
  admission: Admission;
  /** What the password was checked against: the change must find it unchanged. */
  passwordHash: string;
}

/**
 * Demands the password of the person behind a session.
 * @throws ApiError 3042 when it is wrong, 3041 after too many attempts, 3046 when there is none
 */
export async function checkOwnPassword(
  services: IamServices,
  { user: { id: userId }, session }: SessionPrincipal,
  password: string,
  request: RequestFacts,
): Promise<CheckedPassword> {
  requirePasswords(services);
  const user = await findUser(services.database.read, userId);
  if (user === undefined) throw unauthenticated();
  const { email, passwordHash } = user;
  if (passwordHash === undefined) throw apiError(iamErrors.noPassword);
  const admission = await admitAttempt(services, {
    kind: 'password',
    email,
    userId,
    request,
    sessionId: session.id,
  });
  const verify = (): Promise<boolean> =>
    services.passwords.verify(password, passwordHash, admission.requester);
  const isRight = await countUnlessTrouble(services, admission, verify);
  if (!isRight) throw apiError(iamErrors.wrongPassword);
  return { admission, passwordHash };
}
