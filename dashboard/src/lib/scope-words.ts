/** What each scope lets an application do, for whoever decides what it shall ask for. */
const words: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know that it is the same person who signs in, with an ID token'],
  ['profile', 'See the name of the person'],
  ['email', 'See the email address of the person, and whether it is verified'],
  ['offline_access', 'Go on while the person is away, with refresh tokens'],
  ['account-settings.read', 'See the name and the settings of the account'],
  ['account-settings.write', 'Change the name and the settings of the account'],
  ['members.read', 'See who is a member of the account, and in which roles'],
  ['members.write', 'Invite and remove members, and change their roles'],
  ['api-tokens.read', 'See which API tokens the account has, without their values'],
  ['api-tokens.write', 'Create, change and delete API tokens of the account'],
  ['audit-logs.read', 'Read who has changed what in the account'],
  ['oauth-clients.read', 'See the OAuth clients of the account'],
  ['oauth-clients.write', 'Create, change and delete OAuth clients of the account'],
  ['ai-gateway.read', 'See AI gateways and their logs, with prompts and answers'],
  ['ai-gateway.write', 'Create, change and delete AI gateways and their logs'],
  ['ai-gateway.run', 'Send requests to AI models, at the cost of the account'],
  ['tags.read', 'See the tags of resources'],
  ['tags.write', 'Change and delete the tags of resources'],
  ['user-details.read', 'See the name and email address of the person, and how they sign in'],
  ['memberships.read', 'See which of the picked accounts the person is in, and in which roles'],
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
