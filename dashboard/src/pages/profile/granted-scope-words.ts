import { scopeWords } from '../../lib/scope-words.ts';

/** What is said otherwise to whom it is about. */
const TO_THE_PERSON: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know that it is you who signs in'],
  ['profile', 'See your name'],
  ['email', 'See your email address'],
  ['offline_access', 'Go on while you are away, until you revoke it'],
  ['user-details.read', 'See your name and email address, and how you sign in'],
  ['memberships.read', 'See which of these accounts you are in, and in which roles'],
]);

/** What a scope lets an application do for the person; undefined for one that this page does not know. */
export function grantedScopeWords(scope: string): string | undefined {
  return TO_THE_PERSON.get(scope) ?? scopeWords(scope);
}
