import { createHash } from 'node:crypto';
import { type PermissionSlug, permissions } from './permissions.ts';

/** The slug of the role that holds everything and is never without a holder in an account. */
export const SUPER_ADMINISTRATOR = 'super-administrator';

/** A role is a view of the permission catalogue: a name for a set of its rows. */
export interface Role {
  /** Stored with members; it never changes. */
  slug: string;
  /** 32 hex digits made from the slug. */
  id: string;
  name: string;
  description: string;
  /** As granted: what they imply comes on top. */
  permissions: readonly PermissionSlug[];
}

/** The permissions on accounts, in the order of the catalogue. */
export const accountPermissions: readonly PermissionSlug[] = permissions
  .filter(({ scope }) => scope === 'account')
  .map(({ slug }) => slug);

/** Every role can see the account that it belongs to. */
const BASE: PermissionSlug = 'account-settings.read';

/** Every role, in the order of the reference. */
export const roles: readonly Role[] = [
  role(
    SUPER_ADMINISTRATOR,
    'Super Administrator',
    'Has all permissions. Only this role can delete the account and manage Super Administrators',
    accountPermissions,
  ),
  role(
    'administrator',
    'Administrator',
    'Has all permissions except to delete the account and to manage Super Administrators',
    accountPermissions,
  ),
  role(
    'administrator-read-only',
    'Administrator Read Only',
    'Reads everything',
    accountPermissions.filter((slug) => slug.endsWith('.read')),
  ),
  role('oauth-client-write', 'OAuth Client Write', 'Manages OAuth clients', [
    BASE,
    'oauth-clients.write',
  ]),
  role('oauth-client-read', 'OAuth Client Read', 'Reads OAuth clients', [
    BASE,
    'oauth-clients.read',
  ]),
  role('ai-gateway-admin', 'AI Gateway Admin', 'Manages AI gateways and runs models', [
    BASE,
    'ai-gateway.write',
    'ai-gateway.run',
  ]),
  role('ai-gateway-run', 'AI Gateway Run', 'Runs models through AI gateways', [
    BASE,
    'ai-gateway.run',
  ]),
  role(
    'api-token-provisioning',
    'API Token Provisioning',
    'Manages API tokens of the account, with at most the permissions of the member',
    [BASE, 'api-tokens.write'],
  ),
  role('tag-admin', 'Tag Admin', 'Manages the tags of resources', [BASE, 'tags.write']),
  role('audit-logs-viewer', 'Audit Logs Viewer', 'Reads the audit log', [BASE, 'audit-logs.read']),
  role('member', 'Member', 'Reads the settings of the account', [BASE]),
];

function role(
  slug: string,
  name: string,
  description: string,
  granted: readonly PermissionSlug[],
): Role {
  const id = createHash('sha256').update(`role:${slug}`).digest('hex').slice(0, 32);
  return { slug, id, name, description, permissions: granted };
}

const bySlug = new Map(roles.map((entry) => [entry.slug, entry]));
const byId = new Map(roles.map((entry) => [entry.id, entry]));

export function findRoleBySlug(slug: string): Role | undefined {
  return bySlug.get(slug);
}

export function findRoleById(id: string): Role | undefined {
  return byId.get(id);
}
