import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { callerOf } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { consentedAccounts } from './consented-accounts.ts';
import { MembershipSchema, presentMembership } from './membership-presenter.ts';
import { listMemberships } from './membership-store.ts';

const MAX_PER_PAGE = 100;

export const listMembershipsRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/memberships',
    operationId: 'list-memberships',
    section: 'Memberships',
    summary: 'List your memberships and invitations',
    description: 'An OAuth client sees only accounts that the user selected for it.',
    access: { self: 'memberships.read' },
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      name: Type.Optional(Type.String({ description: 'Exact account name' })),
      'account.name': Type.Optional(Type.String({ description: 'Alias of `name`' })),
      status: Type.Optional(
        Type.Enum(['accepted', 'pending', 'rejected'], {
          description: 'Always empty: rejected invitations are not stored',
        }),
      ),
      order: Type.Optional(
        Type.Enum(['id', 'account.name', 'status'], { default: 'account.name' }),
      ),
      direction: Type.Optional(Type.Enum(['asc', 'desc'])),
    }),
    result: Type.Array(MembershipSchema),
    paging: 'page',
    async handler({ principal, query }) {
      const page = readPage(query);
      const { status } = query;
      const accountIds = consentedAccounts(principal);
      if (status === 'rejected' || accountIds?.length === 0) return pageReply([], page, 0);
      const user = callerOf(principal);
      const { memberships, totalCount } = await listMemberships(
        database.read,
        user.id,
        {
          accountIds,
          names: [query.name, query['account.name']].filter((name) => name !== undefined),
          status,
          order: query.order ?? 'account.name',
          direction: query.direction ?? 'asc',
        },
        page,
      );
      const shown = memberships.map((membership) => presentMembership(membership, user));
      return pageReply(shown, page, totalCount);
    },
  });
