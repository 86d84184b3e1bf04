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

somebody, probably you, asked for a new password at ${origin()}.

Choose it here within one hour:
${link}

If it was not you, you need not do anything: your password stays as it is.
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

your password at ${origin()} was changed, and every other browser was signed out.

API tokens and passkeys of yours go on working.

If it was not you, choose a new one at once:
${origin()}/forgot-password

Then end the passkeys and API tokens that you do not know:
GET and DELETE /user/passkeys, GET and DELETE /user/tokens; see
${origin()}/docs
`,
  });
}
