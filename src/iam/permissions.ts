import { createHash } from 'node:crypto';

/** Where a permission applies: to an account's resources, or to the person behind a credential. */
export type PermissionScope = 'account' | 'user';

/** Categories of the permission groups of the public API, by the section of the product. */
const PUBLIC_CATEGORIES = {
  account: 'account_and_billing',
  developer_platform: 'developer_platform',
  ai: 'ai_and_machine_learning',
  user: 'other',
} as const;

/** Returns the category of a permission as the `cloudflare` client declares it. */
export function publicCategory({ category }: Pick<Permission, 'category'>): string {
  return PUBLIC_CATEGORIES[category];
}

interface Row {
  slug: string;
  name: string;
  category: keyof typeof PUBLIC_CATEGORIES;
  scope: PermissionScope;
}

/**
 * THE permission catalogue. API token permission groups, OAuth scopes and roles are views of this
 * table, and each route names the row it needs. The slug is the OAuth scope id; it never changes.
 */
const catalogue = [
  row('account-settings.read', 'Account Settings Read', 'account'),
  row('account-settings.write', 'Account Settings Write', 'account'),
  row('members.read', 'Account Members Read', 'account'),
  row('members.write', 'Account Members Write', 'account'),
  row('api-tokens.read', 'Account API Tokens Read', 'account'),
  row('api-tokens.write', 'Account API Tokens Write', 'account'),
  row('audit-logs.read', 'Audit Logs Read', 'account'),
  row('oauth-clients.read', 'OAuth Clients Read', 'developer_platform'),
  row('oauth-clients.write', 'OAuth Clients Write', 'developer_platform'),
  row('ai-gateway.read', 'AI Gateway Read', 'ai'),
  row('ai-gateway.write', 'AI Gateway Write', 'ai'),
  row('ai-gateway.run', 'AI Gateway Run', 'ai'),
  row('tags.read', 'Tags Read', 'account'),
  row('tags.write', 'Tags Write', 'account'),
  row('user-details.read', 'User Details Read', 'user'),
  row('memberships.read', 'Memberships Read', 'user'),
  row('webhooks.read', 'Webhooks Read', 'account'),
  row('webhooks.write', 'Webhooks Write', 'account'),
] as const;

function row<Slug extends string>(slug: Slug, name: string, category: Row['category']) {
  const scope: PermissionScope = category === 'user' ? 'user' : 'account';
  return { slug, name, category, scope };
}

export type PermissionSlug = (typeof catalogue)[number]['slug'];

/** Ids of the permission groups of the same name in the public API, which configurations and tools contain. */
const PUBLIC_IDS: Readonly<Record<string, PermissionSlug>> = {
  c1fde68c7bcc44588cbb6ddbc16d6480: 'account-settings.read',
  '1af1fa2adc104452b74a9a3364202f20': 'account-settings.write',
  eb56a6953c034b9d97dd838155666f06: 'api-tokens.read',
  '5bc3f8b21c554832afc660159ab75fa4': 'api-tokens.write',
  '4dc8917b4b40457d88d3035d5dadb054': 'ai-gateway.read',
  '6c8a3737f07f46369c1ea1f22138daaf': 'ai-gateway.write',
  '644535f4ed854494a59cb289d634b257': 'ai-gateway.run',
};

export interface Permission extends Row {
  slug: PermissionSlug;
  /** Id of the permission group and of the OAuth scope's group: 32 hex digits made from the slug. */
  id: string;
}

function permissionId(slug: string): string {
  return createHash('sha256').update(`permission:${slug}`).digest('hex').slice(0, 32);
}

/** Every permission, in the order of the reference. */
export const permissions: readonly Permission[] = catalogue.map((entry) => ({
  ...entry,
  id: permissionId(entry.slug),
}));

const bySlug = new Map<string, Permission>(permissions.map((entry) => [entry.slug, entry]));
const byId = new Map<string, Permission>(permissions.map((entry) => [entry.id, entry]));

export function findPermissionBySlug(slug: string): Permission | undefined {
  return bySlug.get(slug);
}

/** @param id of the permission group, here or in the public API */
export function findPermissionById(id: string): Permission | undefined {
  const slug = Object.hasOwn(PUBLIC_IDS, id) ? PUBLIC_IDS[id] : undefined;
  return slug === undefined ? byId.get(id) : bySlug.get(slug);
}

/** The name of a permission as its permission group shows it. */
export function permissionName(slug: PermissionSlug): string {
  return bySlug.get(slug)?.name ?? slug;
}

/**
 * Permissions as the clients know them: as permission groups.
 * @param ids of the groups as clients have sent them, where they are others
 */
export function presentPermissionGroups(
  slugs: readonly PermissionSlug[],
  ids: Readonly<Partial<Record<PermissionSlug, string>>> = {},
): { id: string; name: string }[] {
  return slugs.flatMap((slug) => {
    const permission = bySlug.get(slug);
    const id = ids[slug] ?? permission?.id ?? '';
    return permission === undefined ? [] : [{ id, name: permission.name }];
  });
}

/** A permission with all that it implies: `.write` implies `.read` of the same subject. */
export function impliedPermissions(slug: PermissionSlug): PermissionSlug[] {
  const read = slug.replace(/\.write$/, '.read');
  const implied = read === slug ? undefined : bySlug.get(read);
  return implied === undefined ? [slug] : [slug, implied.slug];
}
