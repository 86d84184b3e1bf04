import { forgetAccount } from '../session/remembered-account.ts';
import { api, resultOf } from './client.ts';
import { membershipsQuery } from './people.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

/** The place of the person in an account, or an invitation to one. */
export type Membership =
  paths['/memberships']['get']['responses'][200]['content']['application/json']['result'][number];

const ONE = '/memberships/{membership_id}';

/** Accepts an invitation, or declines it. */
export async function answerInvitation(
  { id }: Membership,
  status: 'accepted' | 'rejected',
): Promise<void> {
  await resultOf(api.PUT(ONE, { params: { path: { membership_id: id } }, body: { status } }));
  await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
}

/** Gives up everything that the person may do in an account. */
export async function leaveAccount({ id, account }: Membership): Promise<void> {
  await resultOf(api.DELETE(ONE, { params: { path: { membership_id: id } } }));
  forgetMembership(account.id);
}

/** Forgets an account that the person is in no more, once no page shows it. */
export function forgetMembership(accountId: string): void {
  forgetAccount(accountId);
  queryClient.removeQueries({ queryKey: ['accounts', accountId] });
  const { queryKey } = membershipsQuery;
  queryClient.setQueryData(queryKey, (memberships) =>
    memberships?.filter(({ account }) => account.id !== accountId),
  );
  void queryClient.invalidateQueries({ queryKey });
}

/** Makes an account of which the person is Super Administrator; answers its id. */
export async function createAccount(name: string, idempotencyKey: string): Promise<string> {
  const { id } = await resultOf(
    api.POST('/accounts', { headers: { 'idempotency-key': idempotencyKey }, body: { name } }),
  );
  await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
  return id;
}
