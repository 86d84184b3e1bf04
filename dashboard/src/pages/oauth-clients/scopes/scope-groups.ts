import type { Scope } from '../../../api/oauth-scopes.ts';
import { scopeWords } from '../../../lib/scope-words.ts';
import { labels } from './labels.ts';

interface Category {
  title: string;
  lead: string;
}

const categories: ReadonlyMap<string, Category> = new Map([
  ['identity', { title: labels.signIn, lead: labels.forSignInWithNo }],
  ['user', { title: labels.user, lead: labels.theUsersOwnDataThrough }],
  ['account', { title: labels.account, lead: labels.inTheAccounts }],
  [
    'developer_platform',
    { title: labels.developerPlatform, lead: labels.applicationsOfTheAccount },
  ],
  ['ai', { title: labels.aiGateway, lead: labels.modelsGatewaysAndTheirLogs }],
]);

const OTHER: Category = { title: labels.other, lead: '' };

/** Scopes of one category. */
export interface ScopeGroup extends Category {
  id: string;
  scopes: Scope[];
}

/** Whether what somebody searches for is in the name of a scope, its id, or what it is for. */
function matches(scope: Scope, query: string): boolean {
  const category = categories.get(scope.category)?.title ?? scope.category;
  const text = [scope.id, scope.name, scopeWords(scope.id), category].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The scopes that fit a search, by category, in the order of the server but identity first. */
export function groupScopes(scopes: readonly Scope[], query: string): ScopeGroup[] {
  const found = scopes.filter((scope) => matches(scope, query.trim()));
  const known = [...categories.keys()];
  const others = found.map(({ category }) => category).filter((id) => !categories.has(id));
  return [...known, ...new Set(others)]
    .map((id) => ({
      id,
      ...(categories.get(id) ?? OTHER),
      scopes: found.filter(({ category }) => category === id),
    }))
    .filter((group) => group.scopes.length > 0);
}

/** Scopes that are chosen, but that the server has no more: they can only be taken away. */
export function withUnknown(scopes: readonly Scope[], chosen: readonly string[]): Scope[] {
  const known = new Set(scopes.map(({ id }) => id));
  const lost = chosen.filter((id) => !known.has(id));
  return [...scopes, ...lost.map((id) => ({ id, name: id, category: 'other', scopes: [] }))];
}

/** Reading and writing of the same thing beside each other. */
export function bySubject(scopes: readonly Scope[]): Scope[][] {
  return [...Map.groupBy(scopes, ({ id }) => id.split('.')[0]).values()];
}
