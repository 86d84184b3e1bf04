/** What each scope lets an application do, for whoever decides what it shall ask for. */
const words: ReadonlyMap<string, string> = new Map([
  ['openid', "Confirm the user's identity with an ID token"],
  ['profile', "See the user's name"],
  ['email', "See the user's email address and its verification status"],
  ['groups', "See the names of the user's roles in the selected accounts"],
  ['offline_access', 'Keep access while the user is offline, with refresh tokens'],
  ['account-settings.read', 'See the name and settings of the account'],
  ['account-settings.write', 'Change the name and settings of the account'],
  ['members.read', 'See the members of the account and their roles'],
  ['members.write', 'Invite and remove members, and change their roles'],
  ['api-tokens.read', 'See the API tokens of the account, without their values'],
  ['api-tokens.write', 'Create, change and delete API tokens of the account'],
  ['audit-logs.read', 'Read the audit log of the account'],
  ['oauth-clients.read', 'See the OAuth clients of the account'],
  ['oauth-clients.write', 'Create, change and delete OAuth clients of the account'],
  ['ai-gateway.read', 'See AI gateways and their logs, with prompts and answers'],
  ['ai-gateway.write', 'Create, change and delete AI gateways and their logs'],
  ['ai-gateway.run', 'Send requests to AI models, at the cost of the account'],
  ['tags.read', 'See the tags of resources'],
  ['tags.write', 'Change and delete the tags of resources'],
  ['user-details.read', "See the user's name, email address and sign-in methods"],
  ['memberships.read', "See the user's roles in the selected accounts"],
  ['webhooks.read', 'See the webhooks of the account'],
  ['webhooks.write', 'Create, change and delete webhooks of the account'],
]);

/** What a scope lets an application do; undefined for one that this page does not know. */
export function scopeWords(id: string): string | undefined {
  return words.get(id);
}

/** Whether the server decides by itself that a client has this scope, so that nobody can decline it. */
export function isProtocolScope(id: string): boolean {
  return id === 'openid' || id === 'offline_access';
}
