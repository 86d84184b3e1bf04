import { queryOptions } from '@tanstack/react-query';
import { csrfToken } from '../session/csrf-token.ts';
import { presence } from '../session/presence.ts';
import { allPages } from './all-pages.ts';
import { api, bodyOf, resultOf } from './client.ts';
import { MEMBERSHIPS_KEY } from './query-client.ts';
import type { paths } from './schema.d.ts';

/** The person who is signed in, as the API shows them. */
export type User = paths['/user']['get']['responses'][200]['content']['application/json']['result'];

/** The person who is signed in. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }) => {
    const token = csrfToken();
    const user = await resultOf(api.GET('/user', { signal }));
    presence.know(user, token);
    return user;
  },
});

/** The accounts of the person, and what the person may do in each; pending invitations too. */
export const membershipsQuery = queryOptions({
  queryKey: MEMBERSHIPS_KEY,
  // The form that somebody comes back to may go with the right: the next page asks again.
  refetchOnWindowFocus: false,
  queryFn: ({ signal }) =>
    allPages((page) =>
      bodyOf(api.GET('/memberships', { signal, params: { query: { page, per_page: 100 } } })),
    ),
});
