import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { Db } from '../../storage/schema.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { ChangeTools } from '../changes.ts';
import { checkMembershipRoom } from '../memberships/check-membership-room.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { lockUser } from '../users/user-store.ts';
import { verifyEmail } from '../users/verify-email.ts';
import { memberChange } from './member-presenter.ts';
import { markAccepted } from './member-store.ts';

/** What the page of an invitation needs to know. */
export interface Invitation {
  accountId: string;
  accountName: string;
  memberId: string;
  userId: string;
  email: string;
  /**
   * Whether the person has something to sign in with: a password, a passkey or an identity elsewhere.
   * If so, the link alone must let nobody in: the person signs in and accepts then. If not, whoever
   * has the link chooses a password with it. For a link that shows for the first time that somebody
   * reads the mail, nothing counts that was there before: accepting takes it away.
   */
  userHasCredential: boolean;
  /**
   * Whether the link went out by mail alone. Accepting it then shows that the person reads mail to
   * the address; a link that the inviter was shown says nothing about that.
   */
  isMailed: boolean;
  /** Whether that was shown before. */
  isEmailVerified: boolean;
}

/**
 * The invitation behind the secret of a link. Uses `members_invitation`.
 * @returns undefined for one that is unknown, accepted, withdrawn, replaced or expired, or of a person
 *   who is locked out
 */
export async function findInvitation(
  db: Db,
  secret: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  if (!isWellFormedSecret(secret, 'lkiv_')) return undefined;
  const row = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.invitation_digest', '=', digestSecret(secret))
    .where('members.invitation_expires_at', '>', nowMs)
    .where('members.status', '=', 'pending')
    .where('users.locked_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .select([
      'members.account_id',
      'accounts.name',
      'members.id',
      'members.user_id',
      'members.invitation_mailed',
      'members.invited_email',
      'users.email',
      'users.password_hash',
      'users.email_verified_at',
    ])
    .select((select) => [
      select
        .exists(
          select
            .selectFrom('passkeys')
            .select('passkeys.id')
            .whereRef('passkeys.user_id', '=', 'users.id'),
        )
        .as('has_passkey'),
      select
        .exists(
          select
            .selectFrom('external_identities')
            .select('external_identities.subject')
            .whereRef('external_identities.user_id', '=', 'users.id'),
        )
        .as('has_identity'),
    ])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isMailed = row.invitation_mailed === 1;
  const isEmailVerified = row.email_verified_at !== null;
  const hasCredential =
    row.password_hash !== null || Boolean(row.has_passkey) || Boolean(row.has_identity);
  return {
    accountId: row.account_id,
    accountName: row.name,
    memberId: row.id,
    userId: row.user_id,
    email: row.invited_email ?? row.email,
    userHasCredential: hasCredential && (isEmailVerified || !isMailed),
    isMailed,
    isEmailVerified,
  };
}

/**
 * Accepts an invitation by its link, as part of a change. The caller makes sure of who it is: either
 * the very person is signed in, or the person has no credential yet and gets one in the same change.
 * @returns the invitation as it was, or undefined when it is none any more and nothing was done. What
 *   `userHasCredential` says there counts: nobody else can give the person one before the
 *   transaction ends
 * @throws ApiError 403 when the account is being deleted; 3035
 */
export async function acceptInvitation(
  { tx, announce, audit }: Pick<ChangeTools, 'tx' | 'announce' | 'audit'>,
  secret: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  const found = await findInvitation(tx, secret, nowMs);
  if (found === undefined) return undefined;
  await lockAccount(tx, found.accountId);
  await lockUser(tx, found.userId);
  // Again, now that nobody can use or withdraw it, nor choose the person's password by another link.
  const invitation = await findInvitation(tx, secret, nowMs);
  if (invitation === undefined) return undefined;
  const { accountId, memberId: id, userId, email } = invitation;
  await checkMembershipRoom(tx, userId);
  await markAccepted(tx, { accountId, id });
  if (invitation.isMailed) await verifyEmail(tx, announce, userId, nowMs);
  announce(userAnnouncement(userId));
  audit({
    ...memberChange({ accountId, id }, 'accept', 'Accepted an invitation'),
    actor: { id: userId, email },
    // The result may be a new session.
    shows: {},
  });
  return invitation;
}
