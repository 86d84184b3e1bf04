import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import { type OAuthClient, oauthClientQuery, oauthClientsQuery } from './oauth-clients.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const LIST = '/accounts/{account_id}/oauth_clients';
const ONE = '/accounts/{account_id}/oauth_clients/{client_id}';
const ROTATION = '/accounts/{account_id}/oauth_clients/{client_id}/rotate_secret';
const STATS = '/accounts/{account_id}/oauth_clients/{client_id}/stats';

/** Where a client is. */
export interface ClientPlace {
  accountId: string;
  clientId: string;
}

export type ClientStats =
  paths[typeof STATS]['get']['responses'][200]['content']['application/json']['result'];

/** What makes a client, as it is sent. */
export type CreateClientBody =
  paths[typeof LIST]['post']['requestBody']['content']['application/json'];

/** What changes a client: what it does not name stays as it is. */
export type ChangeClientBody =
  paths[typeof ONE]['patch']['requestBody']['content']['application/json'];

/** A client that was just made, with its secret if it has one. */
export type CreatedClient =
  paths[typeof LIST]['post']['responses'][200]['content']['application/json']['result'];

function paramsOf({ accountId, clientId }: ClientPlace) {
  return { path: { account_id: accountId, client_id: clientId } };
}

/** How many people use a client. */
export const clientStatsQuery = (place: ClientPlace) =>
  queryOptions({
    queryKey: [...oauthClientQuery(place.accountId, place.clientId).queryKey, 'stats'],
    queryFn: ({ signal }) => resultOf(api.GET(STATS, { signal, params: paramsOf(place) })),
  });

/** Makes a client. The secret is only in this answer: no query ever holds it. */
export async function createClient(
  accountId: string,
  body: CreateClientBody,
  idempotencyKey: string,
): Promise<CreatedClient> {
  const created = await resultOf(
    api.POST(LIST, {
      params: { path: { account_id: accountId } },
      headers: { 'idempotency-key': idempotencyKey },
      body,
    }),
  );
  const { client_secret: _secret, ...client } = created;
  keep({ accountId, clientId: client.client_id }, () => client);
  return created;
}

/** Reads a client with its ETag, for an edit. */
export function readClient(place: ClientPlace) {
  return api.GET(ONE, { params: paramsOf(place) });
}

/** Changes a client, and what the pages know of it. */
export async function changeClient(
  place: ClientPlace,
  body: ChangeClientBody,
  headers: Record<string, string> = {},
): Promise<OAuthClient> {
  const client = await orLookAgain(
    place,
    resultOf(api.PATCH(ONE, { params: paramsOf(place), headers, body })),
  );
  keep(place, () => client);
  return client;
}

/** Gives a client a second secret. @returns the secret, which is never told again */
export async function rotateSecret(place: ClientPlace, idempotencyKey: string): Promise<string> {
  const { client_secret: secret, secrets } = await orLookAgain(
    place,
    resultOf(
      api.POST(ROTATION, {
        params: paramsOf(place),
        headers: { 'idempotency-key': idempotencyKey },
      }),
    ),
  );
  keep(place, (client) => client && { ...client, secrets, has_rotated_secret: true });
  return secret;
}

/** Takes the older of two secrets away. */
export async function deleteOldSecret(place: ClientPlace): Promise<void> {
  await orLookAgain(place, resultOf(api.DELETE(ROTATION, { params: paramsOf(place) })));
  keep(
    place,
    (client) =>
      client && { ...client, secrets: client.secrets.slice(-1), has_rotated_secret: false },
  );
}

/** Deletes a client. What is remembered of it goes with {@link forgetClient}. */
export async function deleteClient(place: ClientPlace, headers: IfMatch): Promise<void> {
  await orLookAgain(place, resultOf(api.DELETE(ONE, { params: paramsOf(place), headers })));
}

/** Forgets a client that is no more, once no page shows it. */
export function forgetClient({ accountId, clientId }: ClientPlace): void {
  queryClient.removeQueries({ queryKey: oauthClientQuery(accountId, clientId).queryKey });
  const { queryKey } = oauthClientsQuery(accountId);
  queryClient.setQueryData(queryKey, (clients) =>
    clients?.filter(({ client_id: id }) => id !== clientId),
  );
  void queryClient.invalidateQueries({ queryKey, exact: true });
}

/** What is refused was perhaps asked of a client that has changed since the page was loaded. */
async function orLookAgain<Result>(place: ClientPlace, change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    const { queryKey } = oauthClientQuery(place.accountId, place.clientId);
    void queryClient.invalidateQueries({ queryKey, exact: true });
    throw error;
  }
}

/** Puts a client as it is now where the pages look for it. */
function keep(
  { accountId, clientId }: ClientPlace,
  update: (client: OAuthClient | undefined) => OAuthClient | undefined,
): void {
  const { queryKey } = oauthClientQuery(accountId, clientId);
  // A look that began before the change would bring back what was.
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, update);
  void queryClient.invalidateQueries({
    queryKey: oauthClientsQuery(accountId).queryKey,
    exact: true,
  });
}
