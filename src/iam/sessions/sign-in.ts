import { type ApiError, apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Db } from '../../storage/schema.ts';
import { actorOf, appendAudit } from '../audit/audit-entry.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { ANONYMOUS } from '../principal.ts';
import { type User, findUser, findUserByEmail, lockUser, updateUser } from '../users/user-store.ts';
import { type BegunSession, beginSession } from './complete-sign-in.ts';
import {
  type Admission,
  admitAttempt,
  countUnlessTrouble,
  forgiveAttempt,
} from './sign-in-limits.ts';
import { requirePasswords } from '../passwords/require-passwords.ts';

/** What a person enters to sign in. */
export interface PasswordSignIn {
  email: string;
  password: string;
  request: RequestFacts;
}

/**
 * Signs a person in with a password. Whether nobody has the address, the person has no password, is
 * locked out, or it is another one: the answer is the same, and so is what is done until it is out.
 * @throws ApiError 3040 when address and password do not fit; 3041 after too many attempts; 503 when
 *   too many password checks are waiting
 */
export async function signInWithPassword(
  services: IamServices,
  { email, password, request }: PasswordSignIn,
): Promise<BegunSession> {
  requirePasswords(services);
  const user = await findPerson(services.database.read, email);
  const userId = user?.id;
  const admission = await admitAttempt(services, { kind: 'password', email, userId, request });
  return countUnlessTrouble(services, admission, async () => {
    const isRight = await services.passwords.verify(
      password,
      user?.passwordHash,
      admission.requester,
    );
    if (user === undefined || !isRight) {
      if (user !== undefined) noteFailure(services, user, request);
      throw wrongSignIn();
    }
    return beginWithPassword(services, user, password, request, admission);
  });
}

async function beginWithPassword(
  services: IamServices,
  { id, passwordHash = '' }: User,
  password: string,
  request: RequestFacts,
  admission: Admission,
): Promise<BegunSession> {
  const { changes, passwords } = services;
  const better = passwords.isOutdated(passwordHash)
    ? await passwords.hash(password, admission.requester)
    : undefined;
  const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const { tx } = tools;
    await lockUser(tx, id);
    const now = await findUser(tx, id);
    // Changed while it was checked: then it was the old one.
    if (now?.passwordHash !== passwordHash || now.lockedAtMs !== undefined) throw wrongSignIn();
    if (better !== undefined) await updateUser(tx, id, { passwordHash: better });
    await forgiveAttempt(tx, admission);
    const methods = ['password'] as const;
    return { result: await beginSession(tools, services, { userId: id, methods, request }) };
  });
  return result;
}

function wrongSignIn(): ApiError {
  return apiError(iamErrors.wrongSignIn);
}

/**
 * The person of an address as somebody has entered it into a form or a body. Who is locked out is
 * nobody there, so that no answer tells of it.
 */
export async function findPerson(db: Db, email: string): Promise<User | undefined> {
  // PostgreSQL would refuse to look for it.
  if (email.includes('\0')) return undefined;
  const user = await findUserByEmail(db, email);
  return user?.lockedAtMs === undefined ? user : undefined;
}

/** Afterwards, since it takes longer than to do nothing. The limits keep it from filling the log. */
function noteFailure(services: IamServices, user: User, request: RequestFacts): void {
  const { database, clock, afterwards } = services;
  const nowMs = clock.now();
  afterwards.run('recording a failed sign-in', () =>
    database.transaction((tx) =>
      appendAudit(
        tx,
        {
          chain: { userId: user.id },
          action: { type: 'sign_in', result: 'failure', description: 'Entered a wrong password' },
          // Somebody who says to be this person.
          actor: actorOf(ANONYMOUS, request),
          resource: { type: 'session', id: undefined, product: 'sessions' },
          raw: { request, statusCode: iamErrors.wrongSignIn.status },
        },
        nowMs,
      ),
    ),
  );
}
