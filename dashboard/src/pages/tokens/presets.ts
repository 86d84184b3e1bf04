import type { PermissionGroup } from '../../api/tokens.ts';
import { whyNotHeld } from './held-permissions.ts';
import { labels } from './labels.ts';
import { emptyPolicy } from './token-draft.ts';
import type { TokenHome } from './token-home.tsx';

/** A policy that many tokens have. */
export interface Preset {
  label: string;
  /** Whether it has a permission, by its slug. */
  has: (slug: string) => boolean;
}

/** What many tokens are for. */
export const presets: readonly Preset[] = [
  { label: labels.readEverything, has: (slug) => slug.endsWith('.read') },
  { label: labels.runModels, has: (slug) => slug === 'ai-gateway.run' },
  { label: labels.manageAiGateways, has: (slug) => /^ai-gateway\.(?:write|run)$/.test(slug) },
  { label: labels.manageOauthClients, has: (slug) => slug === 'oauth-clients.write' },
  { label: labels.manageTags, has: (slug) => slug === 'tags.write' },
  { label: labels.readTheAuditLog, has: (slug) => slug === 'audit-logs.read' },
];

/** The permissions of a preset that the person holds. */
export function groupsOfPreset(
  { has }: Preset,
  groups: readonly PermissionGroup[],
  home: TokenHome,
): PermissionGroup[] {
  return groups.filter(
    (group) => has(group.slug) && whyNotHeld(group, emptyPolicy(), home) === undefined,
  );
}
