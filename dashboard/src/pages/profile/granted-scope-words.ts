import { scopeWords } from '../../lib/scope-words.ts';
import { labels } from './labels.ts';

/** What is said otherwise to whom it is about. */
const TO_THE_PERSON: ReadonlyMap<string, string> = new Map([
  ['openid', labels.confirmYourIdentity],
  ['profile', labels.seeYourName],
  ['email', labels.seeYourEmailAddress],
  ['groups', labels.seeYourRoles],
  ['offline_access', labels.keepAccessWhileYoureOffline],
  ['user-details.read', labels.seeYourNameEmailAddress],
  ['memberships.read', labels.seeYourAccounts],
]);

/** What a scope lets an application do for the person; undefined for one that this page does not know. */
export function grantedScopeWords(scope: string): string | undefined {
  return TO_THE_PERSON.get(scope) ?? scopeWords(scope);
}
