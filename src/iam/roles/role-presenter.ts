import { type Static, Type } from 'typebox';
import { type PermissionSlug, impliedPermissions } from '../permissions.ts';
import { type Role, accountPermissions, roles } from '../roles.ts';

const GrantSchema = Type.Object({
  read: Type.Boolean(),
  write: Type.Boolean(),
  run: Type.Optional(Type.Boolean({ description: 'Of `ai_gateway` only' })),
});

/** Granted permissions by subject in snake case: `{"tags":{"read":true,"write":false}}`. */
export const GrantsSchema = Type.Record(Type.String(), GrantSchema);

export const RoleSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  permissions: GrantsSchema,
});

type Grants = Static<typeof GrantsSchema>;

/** Returns granted permissions, with the implied ones, for every subject of an account. */
export function presentGrants(granted: readonly PermissionSlug[]): Grants {
  const held = new Set(granted.flatMap(impliedPermissions));
  const grants: Grants = {};
  for (const slug of accountPermissions) {
    const [subject = '', verb = ''] = slug.split('.');
    const grant = (grants[subject.replaceAll('-', '_')] ??= { read: false, write: false });
    if (verb === 'read' || verb === 'write' || verb === 'run') grant[verb] = held.has(slug);
  }
  return grants;
}

type ShownRole = Static<typeof RoleSchema>;

// A page of members contains each role up to a thousand times.
const SHOWN_ROLES: ReadonlyMap<Role, Readonly<ShownRole>> = new Map(
  roles.map((role) => {
    const { id, name, description, permissions: granted } = role;
    return [role, { id, name, description, permissions: presentGrants(granted) }];
  }),
);

/** Returns a role of the catalogue in the form of the API. Do not change it. */
export function presentRole(role: Role): ShownRole {
  const shown = SHOWN_ROLES.get(role);
  if (shown === undefined) throw new Error(`the role ${role.slug} is not in the catalogue`);
  return shown;
}
