import { useSuspenseQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { type Access, SUPER_ADMINISTRATOR, useAccountOfPage } from '../../api/accounts.ts';
import { type Role, rolesQuery, whyNotGive } from '../../api/members.ts';
import { Check, Fieldset } from '../../ui/field.tsx';
import { labels } from './labels.ts';

interface RoleChoicesProps {
  /** Ids of the roles that are ticked. */
  value: readonly string[];
  onChange: (roleIds: string[]) => void;
  error?: string | undefined;
  /** Takes the focus when something is wrong with the roles. */
  ref?: Ref<HTMLInputElement>;
  /** What the member has now: it may be kept also by who could not give it. */
  held?: readonly string[];
  /** Why the highest role cannot be taken from this member, whoever asks. */
  whyKept?: string | undefined;
}

/** The roles to tick, with what each means. One that cannot be given, or taken, says why. */
export function RoleChoices({ value, onChange, error, ref, held = [], whyKept }: RoleChoicesProps) {
  const access = useAccountOfPage();
  const { data: roles } = useSuspenseQuery(rolesQuery(access.accountId));
  const toggle = (id: string): void =>
    onChange(value.includes(id) ? value.filter((other) => other !== id) : [...value, id]);
  const firstOpen = roles.find((role) => reasonOf(access, role, held, whyKept) === undefined);
  return (
    <Fieldset legend={labels.roles} hint={labels.thePermissionsOfSeveralRoles} error={error}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {roles.map((role) => {
          const reason = reasonOf(access, role, held, whyKept);
          return (
            <li key={role.id} className="px-3 py-2.5">
              <Check
                ref={role === firstOpen ? ref : undefined}
                checked={value.includes(role.id)}
                disabled={reason !== undefined}
                onChange={() => toggle(role.id)}
                label={<span className="font-medium">{role.name}</span>}
                hint={
                  <>
                    {role.description}.
                    {reason !== undefined && (
                      <span className="mt-0.5 block font-medium text-text">{reason}</span>
                    )}
                  </>
                }
              />
            </li>
          );
        })}
      </ul>
    </Fieldset>
  );
}

/** Why a role stays as it is; undefined when it can be ticked and unticked. */
function reasonOf(
  access: Access,
  role: Role,
  held: readonly string[],
  whyKept: string | undefined,
): string | undefined {
  const isHighest = role.name === SUPER_ADMINISTRATOR;
  // Anybody who changes members may take the other roles away.
  if (held.includes(role.id) && !isHighest) return undefined;
  return whyNotGive(access, role) ?? (isHighest ? whyKept : undefined);
}
