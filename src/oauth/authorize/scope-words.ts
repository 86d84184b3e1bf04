import type { PermissionSlug } from '../../iam/permissions.ts';
import { findPermissionBySlug } from '../../iam/permissions.ts';

type KnownScope = PermissionSlug | 'openid' | 'profile' | 'email' | 'offline_access';

/** What an application may do with each scope, in words that go on from "It may". */
const WORDS: Readonly<Record<KnownScope, string>> = {
  openid: 'know that it is you who signs in',
  profile: 'see your name',
  email: 'see your email address',
  offline_access: 'go on while you are away, until you take it back',
  'account-settings.read': 'see the name and the settings of the account',
  'account-settings.write': 'change the name and the settings of the account',
  'members.read': 'see who is a member of the account, and in which roles',
  'members.write': 'invite and remove members, and change their roles',
  'api-tokens.read': 'see which API tokens the account has, without their values',
  'api-tokens.write': 'create, change and delete API tokens of the account',
  'audit-logs.read': 'read the audit log: who has changed what in the account',
  'oauth-clients.read': 'see the applications that the account has registered',
  'oauth-clients.write': 'register, change and delete applications of the account',
  'ai-gateway.read': 'see the AI gateways and their logs, with prompts and answers',
  'ai-gateway.write': 'create, change and delete AI gateways and their logs',
  'ai-gateway.run': 'send requests to AI models through the gateways, at the cost of the account',
  'tags.read': 'see the tags of resources',
  'tags.write': 'change and delete the tags of resources',
  'user-details.read': 'see your name, your email address and how your sign-in is protected',
  'memberships.read': 'see that you are a member of the account, and in which roles',
  'webhooks.read': 'see the webhooks of the account',
  'webhooks.write': 'create, change and delete webhooks of the account',
};

const words: ReadonlyMap<string, string> = new Map(Object.entries(WORDS));

/** What a scope lets an application do, in plain words; the scope itself for one that nobody knows. */
export function scopeWords(scope: string): string {
  return words.get(scope) ?? scope;
}

/**
 * Whether a scope reaches into accounts, so that the person has to say into which. Memberships are the
 * person's own, and still say what accounts there are: an application sees those of the picked ones.
 */
export function isAccountScope(scope: string): boolean {
  return scope === 'memberships.read' || findPermissionBySlug(scope)?.scope === 'account';
}
