import { useSuspenseQuery } from '@tanstack/react-query';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type Role, rolesQuery } from '../../api/members.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { labels } from './labels.ts';
import { grantsInWords, subjectName } from './role-words.ts';

/** Every role with what it allows on what. */
export function RolesTable() {
  const { accountId, roles: own } = useAccountOfPage();
  const { data: roles } = useSuspenseQuery(rolesQuery(accountId));
  return (
    <Card
      title={labels.permissionsOfRoles}
      lead={labels.permissionToChangeIncludesPermission}
      isFlush
    >
      <div className="hidden xl:block">
        <Table
          caption={labels.roles}
          columns={columnsOf(roles, own)}
          rows={roles}
          keyOf={({ id }) => id}
        />
      </div>
      <RoleList roles={roles} own={own} />
    </Card>
  );
}

/** The same in words, where there is no room for so many columns. */
function RoleList({ roles, own }: { roles: readonly Role[]; own: readonly string[] }) {
  return (
    <ul className="divide-y divide-line xl:hidden">
      {roles.map((role) => (
        <li key={role.id} className="px-5 py-3">
          <RoleName role={role} isOwn={own.includes(role.name)} />
          <span className="mt-1 block text-sm">{grantsInWords(role.permissions)}</span>
        </li>
      ))}
    </ul>
  );
}

function columnsOf(roles: readonly Role[], own: readonly string[]): Column<Role>[] {
  const subjects = Object.keys(roles[0]?.permissions ?? {});
  return [
    {
      title: labels.role,
      cell: (role) => <RoleName role={role} isOwn={own.includes(role.name)} />,
    },
    ...subjects.map((subject) => ({
      title: subjectName(subject),
      cell: (role: Role) => <Grant grant={role.permissions[subject]} />,
    })),
  ];
}

function RoleName({ role, isOwn }: { role: Role; isOwn: boolean }) {
  return (
    <>
      <span className="font-medium">{role.name}</span>{' '}
      {isOwn && <Badge tone="good">{labels.yours}</Badge>}
      <span className="block text-sm font-normal text-muted">{role.description}</span>
    </>
  );
}

function Grant({ grant }: { grant: Role['permissions'][string] | undefined }) {
  const verbs = [
    grant?.write === true ? labels.change : grant?.read === true && labels.view,
    grant?.run === true && labels.run,
  ].filter((verb) => verb !== false);
  if (verbs.length === 0) {
    return (
      <span className="text-muted">
        <span aria-hidden>–</span>
        <span className="sr-only">{labels.nothing}</span>
      </span>
    );
  }
  return verbs.map((verb) => (
    <span key={verb} className="block text-sm whitespace-nowrap">
      {verb}
    </span>
  ));
}
