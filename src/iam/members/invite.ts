import { createSecret, digestSecret } from '../../lib/secrets.ts';
import type { Transaction } from '../../storage/schema.ts';
import { findAccountName } from '../accounts/account-store.ts';
import type { IamServices } from '../iam-services.ts';
import { type Principal, userOf } from '../principal.ts';
import { countInvitationMail } from './limit-invitation-mails.ts';
import type { StoredInvitation } from './member-store.ts';

/** How long the link of an invitation works. */
export const INVITATION_MS = 7 * 86_400_000;

/** An invitation before it is stored and told. */
export interface NewInvitation extends StoredInvitation {
  /** Holds the secret. */
  url: string;
}

/**
 * Makes up an invitation. It is mailed where mail is configured, and otherwise shown to the inviter.
 * @param email as the inviter typed it
 */
export function newInvitation({ clock, mail, origin }: IamServices, email: string): NewInvitation {
  const secret = createSecret('lkiv_');
  return {
    url: `${origin()}/invitation?token=${secret}`,
    digest: digestSecret(secret),
    expiresAtMs: clock.now() + INVITATION_MS,
    isMailed: mail.isConfigured,
    email,
  };
}

/**
 * Queues the mail with the link, where mail is configured; the caller kicks the mail after the commit.
 * @returns what the answer to the inviter has of the link
 * @throws ApiError 3034 when there were too many of these mails
 */
export async function tellInvitation(
  tx: Transaction,
  { mail, brand, clock }: IamServices,
  invitation: NewInvitation,
  { accountId, email, principal }: { accountId: string; email: string; principal: Principal },
): Promise<{ invitation_url?: string }> {
  if (!invitation.isMailed) return { invitation_url: invitation.url };
  await countInvitationMail(tx, { accountId, email }, clock.now());
  const accountName = (await findAccountName(tx, accountId)) ?? '';
  const inviter = userOf(principal)?.email;
  const invited =
    inviter === undefined ? 'You are invited' : `${unlinked(inviter)} has invited you`;
  await mail.queue(tx, {
    to: email,
    // Strangers choose the names of accounts: none speaks to the recipient from the subject.
    subject: `Invitation to an account on ${brand}`,
    text: [
      `${invited} to the account "${unlinked(accountName)}" on ${brand}.`,
      `To accept the invitation, open this link within 7 days:\n${invitation.url}`,
      'If you did not expect this invitation, you can ignore this email.',
    ].join('\n\n'),
  });
  return {};
}

const WORD_JOINER = '\u2060';

/**
 * A text of a stranger's as a mail may quote it: programs that read mail make links of whatever looks
 * like an address, and what nobody sees in between keeps them from it.
 */
function unlinked(text: string): string {
  return text.replaceAll(/(?<=\S)(?:[.@]|:\/\/)(?=\S)/g, `$&${WORD_JOINER}`);
}
