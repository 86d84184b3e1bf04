import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, resultOf } from './client.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const LIST = '/user/oauth_grants';

/** What the person has allowed one application. */
export type Grant =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['result'][number];

const PER_PAGE = 20;

/** One page of the applications that the person has authorized, the newest first. */
export const grantsQuery = (page: number) =>
  queryOptions({
    queryKey: ['user', 'oauth-grants', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET(LIST, { signal, params: { query: { page, per_page: PER_PAGE } } })),
  });

/** Takes back what was allowed; the application stops at once. */
export async function revokeGrant(id: string): Promise<void> {
  const params = { path: { grant_id: id } };
  await resultOf(api.DELETE('/user/oauth_grants/{grant_id}', { params }));
  await queryClient.invalidateQueries({ queryKey: ['user', 'oauth-grants'] });
}
