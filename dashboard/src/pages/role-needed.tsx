import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Access, type Permission, holds } from '../api/accounts.ts';
import { rolesQuery } from '../api/members.ts';
import { Callout } from '../ui/badge.tsx';
import { Card } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

interface RoleNeededProps {
  access: Access;
  permission: Permission;
}

// "A, B or C"
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Which roles hold a permission, which one the person has, and who can give another. */
function RoleNeeded({ access, permission }: RoleNeededProps) {
  const { accountId, accountName, roles: own } = access;
  const { data: roles } = useQuery(rolesQuery(accountId));
  const holders = roles?.filter(({ permissions }) => holds(permissions, permission));
  return (
    <p>
      Requires{' '}
      {holders === undefined ? 'another role' : `the role ${or.format(holders.map(nameOf))}`}. Your
      role in <span className="wrap-anywhere">{accountName}</span>: {own.join(', ')}. A Super
      Administrator or an Administrator can give you another role
      {access.can('members.read') ? (
        <>
          : see{' '}
          <Link to="/accounts/$accountId/members" params={{ accountId }} className="underline">
            the members
          </Link>
          .
        </>
      ) : (
        '.'
      )}
    </p>
  );
}

function nameOf({ name }: { name: string }): string {
  return name;
}

interface ReadOnlyProps extends RoleNeededProps {
  /** What cannot be done: "create OAuth clients". */
  deed: string;
}

/** Why somebody can do nothing here but look, and who can help; nothing for whoever can. */
export function ReadOnly({ deed, ...needed }: ReadOnlyProps) {
  if (needed.access.can(needed.permission)) return null;
  return (
    <Callout title={`Your role doesn't allow you to ${deed}`}>
      <RoleNeeded {...needed} />
    </Callout>
  );
}

interface UnseenProps extends RoleNeededProps {
  icon: ReactNode;
  /** What cannot be seen: "the audit log". */
  what: string;
  /** Where else to look. */
  actions?: ReactNode;
}

/** In the place of what somebody may not see: why, and who can help. */
export function Unseen({ icon, what, actions, ...needed }: UnseenProps) {
  return (
    <Card>
      <Empty icon={icon} title={`You can't view ${what}`} actions={actions}>
        <RoleNeeded {...needed} />
      </Empty>
    </Card>
  );
}
