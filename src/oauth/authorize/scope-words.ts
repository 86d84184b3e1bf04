import type { PermissionSlug } from '../../iam/permissions.ts';
import { findPermissionBySlug } from '../../iam/permissions.ts';

type KnownScope = PermissionSlug | 'openid' | 'profile' | 'email' | 'groups' | 'offline_access';

/** What an application may do with each scope, in words that go on from "It may". */
const WORDS: Readonly<Record<KnownScope, string>> = {
  openid: 'confirm your identity',
  profile: 'view your name',
  email: 'view your email address',
  groups: 'view your roles in the selected accounts',
  offline_access: 'keep access while you are offline, until you revoke it',
  'account-settings.read': 'view the name and the settings of the account',
  'account-settings.write': 'change the name and the settings of the account',
  'members.read': 'view the members of the account and their roles',
  'members.write': 'invite and remove members, and change their roles',
  'api-tokens.read': 'view the API tokens of the account, without their values',
  'api-tokens.write': 'create, change and delete API tokens of the account',
  'audit-logs.read': 'view the audit log of the account',
  'oauth-clients.read': 'view the applications of the account',
  'oauth-clients.write': 'register, change and delete applications of the account',
  'ai-gateway.read': 'view AI gateways and their logs, with prompts and responses',
  'ai-gateway.write': 'create, change and delete AI gateways and their logs',
  'ai-gateway.run': 'send requests to AI models through the gateways, at the cost of the account',
  'tags.read': 'view the tags of resources',
  'tags.write': 'change and delete the tags of resources',
  'user-details.read': 'view your name, your email address and your sign-in protection',
  'memberships.read': 'view your memberships and roles',
  'webhooks.read': 'view the webhooks of the account',
  'webhooks.write': 'create, change and delete webhooks of the account',
};

const words: ReadonlyMap<string, string> = new Map(Object.entries(WORDS));

/** What a scope lets an application do, in plain words; the scope itself for one that nobody knows. */
export function scopeWords(scope: string): string {
  return words.get(scope) ?? scope;
}

/** The user's own memberships and roles: an application sees those in the selected accounts. */
const MEMBERSHIP_SCOPES: ReadonlySet<string> = new Set(['groups', 'memberships.read']);

/** Returns true if a scope is about accounts, so that the user has to select some. */
export function isAccountScope(scope: string): boolean {
  return MEMBERSHIP_SCOPES.has(scope) || findPermissionBySlug(scope)?.scope === 'account';
}
