import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import type { paths } from './schema.d.ts';

const LIST = '/oauth/scopes';

/** Something that an OAuth client may ask people for. */
export type Scope =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['result'][number];

// They are no permissions, so the list of the API is without them (docs/oauth.md, "Scopes").
const identityScopes: readonly Scope[] = [
  { id: 'openid', name: 'Sign-in', category: 'identity', scopes: [] },
  { id: 'profile', name: 'Name', category: 'identity', scopes: [] },
  { id: 'email', name: 'Email address', category: 'identity', scopes: [] },
  { id: 'groups', name: 'Roles', category: 'identity', scopes: [] },
  { id: 'offline_access', name: 'Offline access', category: 'identity', scopes: [] },
];

/** Every scope that there is: those that say who somebody is, then the permissions. */
export const oauthScopesQuery = queryOptions({
  queryKey: ['oauth-scopes'],
  queryFn: async ({ signal }) => {
    const permissions = await resultOf(api.GET(LIST, { signal }));
    return [...identityScopes, ...permissions];
  },
  // They change with the version of the server.
  staleTime: Infinity,
});
