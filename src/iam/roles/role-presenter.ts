import { type Static, Type } from 'typebox';
import { type PermissionSlug, impliedPermissions } from '../permissions.ts';
import { type Role, accountPermissions } from '../roles.ts';

const GrantSchema = Type.Object({
  read: Type.Boolean(),
  write: Type.Boolean(),
  run: Type.Optional(Type.Boolean({ description: 'Of `ai_gateway` only' })),
});

/** What somebody holds, by subject in snake case: `{"tags":{"read":true,"write":false}}`. */
export const GrantsSchema = Type.Record(Type.String(), GrantSchema);

export const RoleSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  permissions: GrantsSchema,
});

type Grants = Static<typeof GrantsSchema>;

/** Permissions with what they imply as read and write of every subject of an account. */
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

// There is a fixed list of them, and a page of members has each a thousand times.
const shownRoles = new Map<Role, ShownRole>();

/** A role as the API shows it: the same object each time, which nobody changes. */
export function presentRole(role: Role): ShownRole {
  const known = shownRoles.get(role);
  if (known !== undefined) return known;
  const { id, name, description, permissions: granted } = role;
  const shown = { id, name, description, permissions: presentGrants(granted) };
  shownRoles.set(role, shown);
  return shown;
}
