import { apiError, notFound } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { isMailAddress } from '../../lib/mail-address.ts';
import type { Transaction } from '../../storage/schema.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { iamBodyFaults, iamErrors, roleErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { checkMembershipRoom } from '../memberships/check-membership-room.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { type User, findUserByEmail, insertUser, lockUser } from '../users/user-store.ts';
import { checkRoleChange } from './check-role-change.ts';
import { checkAddableRoles, findAddableUser } from './find-addable-user.ts';
import { newInvitation, tellInvitation } from './invite.ts';
import { memberChange, presentMember } from './member-presenter.ts';
import { MEMBER_RECORD, CreateMemberSchema, InvitedMemberSchema } from './member-schemas.ts';
import {
  type MemberStatus,
  countMembers,
  findMember,
  insertMember,
  isMember,
} from './member-store.ts';
import { parseRoles } from './parse-roles.ts';

/** Pending ones too. Larger organisations sign in through a provider of their own. */
export const MAX_MEMBERS_PER_ACCOUNT = 1_000;

/** At a time, without those that have expired: nobody can mail thousands of strangers. */
export const MAX_PENDING_INVITATIONS = 100;

export const createMemberRoute = (services: IamServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/members',
    operationId: 'create-member',
    section: 'Members',
    summary: 'Invite a member',
    description:
      'The server emails the invitation link. Without a mail server, the response contains it. The link is valid for 7 days. You can only assign roles whose permissions you have, and only Super Administrators can assign the role Super Administrator. The server sends at most 3 invitations per address and hour, and 200 per account and day.',
    access: 'members.write',
    params: AccountParams,
    body: CreateMemberSchema,
    bodyFaults: iamBodyFaults,
    record: MEMBER_RECORD,
    result: InvitedMemberSchema,
    errors: [
      ...roleErrors,
      iamErrors.unknownRole,
      iamErrors.policiesNotSupported,
      iamErrors.alreadyMember,
      iamErrors.tooManyMembers,
      iamErrors.tooManyInvitations,
      iamErrors.needsInvitation,
      iamErrors.tooManyMemberships,
      iamErrors.invitedTooOften,
    ],
    async handler({ principal, params, body, request }) {
      const { changes, mail, brand, clock } = services;
      const accountId = params.account_id;
      const { email, status = 'pending' } = body;
      checkAddress(email);
      const roles = parseRoles(body);
      checkRoleChange(principal, accountId, [], roles);
      if (status === 'accepted') checkAddableRoles(roles);
      const invitation = status === 'pending' ? newInvitation(services, email) : undefined;
      const nowMs = clock.now();
      const reply = await changes.make({ principal, request, body }, async (tools) => {
        const { tx, announce, audit } = tools;
        await lockAccount(tx, accountId);
        await tools.recheckAccess();
        await checkRoom(tx, accountId, status, nowMs);
        const user =
          status === 'accepted'
            ? await findAddableUser(tx, principal, email)
            : await findOrAddUser(tx, email, nowMs);
        if (await isMember(tx, accountId, user.id)) {
          throw apiError(iamErrors.alreadyMember, { pointer: '/email' });
        }
        if (status === 'accepted') await checkMembershipRoom(tx, user.id);
        const slugs = roles.map(({ slug }) => slug);
        const newMember = { accountId, id: createId(), userId: user.id, createdAtMs: nowMs };
        await insertMember(tx, { ...newMember, status, roles: slugs, invitation });
        announce(userAnnouncement(user.id));
        const told = { accountId, email: user.email, principal };
        const link = invitation && (await tellInvitation(tx, services, invitation, told));
        const description = invitation ? 'Invited a member' : 'Added a member';
        audit(memberChange(newMember, 'create', description));
        const member = await findMember(tx, accountId, newMember.id);
        if (member === undefined) throw notFound(request.path);
        return { result: { ...presentMember(member, brand), ...link } };
      });
      if (mail.isConfigured) mail.kick();
      return reply;
    },
  });

/** @throws ApiError 3001 */
function checkAddress(email: string): void {
  if (isMailAddress(email)) return;
  throw apiError(iamErrors.invalidField, {
    message: `${iamErrors.invalidField.message}: email is not an email address`,
    pointer: '/email',
  });
}

/** @throws ApiError 3027 or 3028 */
async function checkRoom(
  tx: Transaction,
  accountId: string,
  status: MemberStatus,
  nowMs: number,
): Promise<void> {
  const { all, open } = await countMembers(tx, accountId, nowMs);
  if (all >= MAX_MEMBERS_PER_ACCOUNT) throw apiError(iamErrors.tooManyMembers);
  if (status === 'pending' && open >= MAX_PENDING_INVITATIONS) {
    throw apiError(iamErrors.tooManyInvitations);
  }
}

// Each attempt is lost to somebody who has just added or forgotten the same address.
const MAX_ATTEMPTS = 5;

/** The person with the address; nobody forgets one who was only invited before the transaction ends. */
async function findOrAddUser(tx: Transaction, email: string, nowMs: number): Promise<User> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await findUserByEmail(tx, email);
    if (found !== undefined) {
      await lockUser(tx, found.id);
      if ((await findUserByEmail(tx, email))?.id === found.id) return found;
      continue;
    }
    const user: User = {
      id: createId(),
      email,
      firstName: undefined,
      lastName: undefined,
      passwordHash: undefined,
      createdAtMs: nowMs,
      emailVerifiedAtMs: undefined,
      lockedAtMs: undefined,
    };
    if (await insertUser(tx, user)) return user;
  }
  throw new Error(`no user for the invitation after ${MAX_ATTEMPTS} attempts`);
}
