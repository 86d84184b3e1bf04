import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

/** One sign-in of the person that still holds. */
export type Session =
  paths['/user/sessions']['get']['responses'][200]['content']['application/json']['result'][number];

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: ({ signal }) => resultOf(api.GET('/user/sessions', { signal })),
});

/** The session of this browser: how and when it began. */
export const ownSessionQuery = queryOptions({
  queryKey: ['user', 'sessions', 'current'],
  queryFn: ({ signal }) => {
    const path = { session_id: 'current' };
    return resultOf(api.GET('/user/sessions/{session_id}', { signal, params: { path } }));
  },
});

/** Signs another browser out. */
export async function endSession(id: string): Promise<void> {
  await resultOf(
    api.DELETE('/user/sessions/{session_id}', { params: { path: { session_id: id } } }),
  );
  queryClient.setQueryData(sessionsQuery.queryKey, (sessions) =>
    sessions?.filter((session) => session.id !== id),
  );
}

/** Signs every other browser out; answers how many there were. */
export async function endOtherSessions(): Promise<number> {
  const { ended } = await resultOf(api.DELETE('/user/sessions'));
  queryClient.setQueryData(sessionsQuery.queryKey, (sessions) =>
    sessions?.filter(({ current }) => current),
  );
  return ended;
}
