import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { membershipsQuery } from './people.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

export type Passkey =
  paths['/user/passkeys']['get']['responses'][200]['content']['application/json']['result'][number];

/** Whether an authenticator app is set up, and how many recovery codes are left. */
export const totpQuery = queryOptions({
  queryKey: ['user', 'totp'],
  queryFn: ({ signal }) => resultOf(api.GET('/user/totp', { signal })),
});

/** The passkeys of the person. */
export const passkeysQuery = queryOptions({
  queryKey: ['user', 'passkeys'],
  queryFn: ({ signal }) => resultOf(api.GET('/user/passkeys', { signal })),
});

/** After a factor came or went: that changes what accounts allow, and which sessions there are. */
export async function refreshFactors(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['user'] }),
    queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
  ]);
}
