import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { iamBodyFaults } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { consentedAccounts } from '../memberships/consented-accounts.ts';
import { findMembership, listMemberships } from '../memberships/membership-store.ts';
import {
  ACCEPTANCE_RULE,
  INVITATION_ERRORS,
  respondToInvitation,
} from '../memberships/update-membership.ts';
import { callerOf } from '../principal.ts';
import { type ManagementRoute, defineRoute, defineSessionRoute } from '../route.ts';
import {
  INVITE_RECORD,
  InviteParams,
  InviteSchema,
  UpdateInviteSchema,
  presentInvite,
} from './invite-presenter.ts';

// The list has no pages.
const MAX_INVITES = 1_000;

/** Returns the operations on the invitations of a user, which are pending memberships. */
export function inviteRoutes(services: IamServices): ManagementRoute[] {
  return [listInvitesRoute(services), getInviteRoute(services), updateInviteRoute(services)];
}

const listInvitesRoute = ({ database, clock }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/user/invites',
    operationId: 'list-invites',
    section: 'Memberships',
    summary: 'List your invitations',
    description: `Returns at most ${MAX_INVITES.toLocaleString('en')} pending and expired invitations. An OAuth client sees only accounts that the user selected for it.`,
    access: { self: 'memberships.read' },
    result: Type.Array(InviteSchema),
    async handler({ principal }) {
      const accountIds = consentedAccounts(principal);
      if (accountIds?.length === 0) return { result: [] };
      const user = callerOf(principal);
      const { memberships } = await listMemberships(
        database.read,
        user.id,
        { accountIds, names: [], status: 'pending', order: 'account.name', direction: 'asc' },
        { page: 1, perPage: MAX_INVITES, offset: 0 },
      );
      const nowMs = clock.now();
      return { result: memberships.map((membership) => presentInvite(membership, user, nowMs)) };
    },
  });

const getInviteRoute = ({ database, clock }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/user/invites/:invite_id',
    operationId: 'get-invite',
    section: 'Memberships',
    summary: 'Get one of your invitations',
    access: { self: 'memberships.read' },
    params: InviteParams,
    record: INVITE_RECORD,
    result: InviteSchema,
    async handler({ principal, params, request }) {
      const user = callerOf(principal);
      const membership = await findMembership(database.read, user.id, params.invite_id);
      const isVisible =
        membership?.status === 'pending' &&
        (consentedAccounts(principal)?.includes(membership.account.id) ?? true);
      if (!isVisible) throw notFound(request.path);
      return { result: presentInvite(membership, user, clock.now()) };
    },
  });

const updateInviteRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'PATCH',
    path: '/user/invites/:invite_id',
    operationId: 'update-invite',
    section: 'Memberships',
    summary: 'Accept or reject one of your invitations',
    description: ACCEPTANCE_RULE,
    access: 'session',
    params: InviteParams,
    body: UpdateInviteSchema,
    bodyFaults: iamBodyFaults,
    record: INVITE_RECORD,
    result: InviteSchema,
    errors: INVITATION_ERRORS,
    handler: ({ params, ...response }) =>
      respondToInvitation(services, params.invite_id, response, (membership, user, status) =>
        presentInvite(membership, user, services.clock.now(), status),
      ),
  });
