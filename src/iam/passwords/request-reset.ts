import type { RequestFacts } from '../../http/route.ts';
import { isMailAddress } from '../../lib/mail-address.ts';
import type { IamServices } from '../iam-services.ts';
import { ANONYMOUS } from '../principal.ts';
import { admitMailRequest, mayMail } from '../sessions/sign-in-limits.ts';
import { findPerson } from '../sessions/sign-in.ts';
import { type User, lockUser } from '../users/user-store.ts';
import { issueResetLink } from './issue-reset-link.ts';
import { queueResetMail } from './password-mails.ts';
import { requirePasswords } from './require-passwords.ts';

/**
 * Mails a link to choose a password, if a user has that address and mail is configured. The work happens after the
 * response, which therefore does not reveal whether the user exists.
 * @param returnId see pages/remembered-return-to.ts
 * @throws ApiError 3041 after too many requests from the IP address
 */
export async function requestPasswordReset(
  services: IamServices,
  email: string,
  request: RequestFacts,
  returnId?: string,
): Promise<void> {
  requirePasswords(services);
  await admitMailRequest(services, request.ip);
  if (!services.mail.isConfigured) return;
  services.afterwards.run('sending a password reset email', async () => {
    const user = await findPerson(services.database.read, email);
    if (user === undefined || !isMailAddress(user.email)) return;
    await mailLink(services, user, request, returnId);
  });
}

async function mailLink(
  services: IamServices,
  user: User,
  request: RequestFacts,
  returnId: string | undefined,
): Promise<void> {
  const { changes, clock, origin, mail } = services;
  const { id: userId, email } = user;
  await changes.make({ principal: ANONYMOUS, request }, async ({ tx, audit, unchanged }) => {
    const nowMs = clock.now();
    await lockUser(tx, userId);
    if (await mayMail(tx, userId, nowMs)) {
      const link = await issueResetLink(tx, origin(), userId, nowMs, email, returnId);
      await queueResetMail(tx, services, email, link);
      audit({
        chain: { userId },
        type: 'request_password_reset',
        description: 'Requested a password reset link',
        resource: { type: 'user', id: userId, product: 'user' },
        shows: {},
      });
    } else {
      unchanged();
    }
    return { result: null };
  });
  mail.kick();
}
