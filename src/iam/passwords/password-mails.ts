import { isMailAddress } from '../../lib/mail-address.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { IamServices } from '../iam-services.ts';

type MailServices = Pick<IamServices, 'mail' | 'brand' | 'origin'>;

/** Queues a link to choose a password. */
export async function queueResetMail(
  tx: Transaction,
  { mail, brand, origin }: MailServices,
  to: string,
  link: string,
): Promise<void> {
  await mail.queue(tx, {
    to,
    subject: `Choose a new password for ${brand}`,
    text: `Hello,

we received a request to reset your password at ${origin()}.

Choose a new password here. The link is valid for one hour:
${link}

If you did not request this, ignore this email. Your password does not change.
`,
  });
}

/** Queues the news that a password was changed, where mail is configured and the address takes any. */
export async function queuePasswordNotice(
  tx: Transaction,
  { mail, brand, origin }: MailServices,
  to: string,
): Promise<void> {
  if (!mail.isConfigured || !isMailAddress(to)) return;
  await mail.queue(tx, {
    to,
    subject: `Your password for ${brand} was changed`,
    text: `Hello,

your password at ${origin()} was changed. All other browsers have been signed out.

Your API tokens and passkeys remain valid.

If you did not change your password, reset it immediately:
${origin()}/forgot-password

Then delete all passkeys and API tokens that you do not recognize, in your profile or with
GET and DELETE /user/passkeys and GET and DELETE /user/tokens:
${origin()}/docs
`,
  });
}
