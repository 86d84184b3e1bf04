import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { type ShownPolicies, presentMember } from './member-presenter.ts';
import { MemberSchema } from './member-schemas.ts';
import { listMembers } from './member-store.ts';

const MAX_PER_PAGE = 1_000;

export const listMembersRoute = ({ database, brand }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/members',
    operationId: 'list-members',
    section: 'Members',
    summary: 'List the members of an account',
    access: 'members.read',
    params: AccountParams,
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      order: Type.Optional(
        Type.Enum(['user.first_name', 'user.last_name', 'user.email', 'status'], {
          description: 'Default: the time of the invitation',
        }),
      ),
      direction: Type.Optional(Type.Enum(['asc', 'desc'])),
      status: Type.Optional(
        Type.Enum(['accepted', 'pending', 'rejected'], {
          description: 'Always empty: rejected invitations are not stored',
        }),
      ),
    }),
    result: Type.Array(MemberSchema),
    paging: 'page',
    async handler({ params, query }) {
      const page = readPage(query);
      if (query.status === 'rejected') return pageReply([], page, 0);
      const { members, totalCount } = await listMembers(
        database.read,
        params.account_id,
        {
          order: query.order ?? 'created',
          direction: query.direction ?? 'asc',
          status: query.status,
        },
        page,
      );
      const policies: ShownPolicies = new Map();
      const shown = members.map((member) => presentMember(member, brand, policies));
      return pageReply(shown, page, totalCount);
    },
  });
