import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { presentMember } from './member-presenter.ts';
import { MEMBER_RECORD, MemberParams, MemberSchema } from './member-schemas.ts';
import { findMember } from './member-store.ts';

export const getMemberRoute = ({ database, brand }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/members/:member_id',
    operationId: 'get-member',
    section: 'Members',
    summary: 'Get one member',
    access: 'members.read',
    params: MemberParams,
    record: MEMBER_RECORD,
    result: MemberSchema,
    async handler({ params, request }) {
      const member = await findMember(database.read, params.account_id, params.member_id);
      if (member === undefined) throw notFound(request.path);
      return { result: presentMember(member, brand) };
    },
  });
