import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type Access, type Permission, useAccountOfPage } from '../../api/accounts.ts';
import { allPages } from '../../api/all-pages.ts';
import { api, bodyOf } from '../../api/client.ts';
import { type Gateway, gatewaysQuery } from '../../api/gateways.ts';
import { memberCountQuery } from '../../api/members.ts';
import { type OAuthClient, oauthClientsQuery } from '../../api/oauth-clients.ts';
import { userQuery } from '../../api/people.ts';
import { type ApiToken, tokensKey } from '../../api/tokens.ts';

const TOKENS = '/accounts/{account_id}/tokens';

const TOKENS_PER_REQUEST = 1_000;

/** All API tokens of an account that still work: the list does not sort them by when they end. */
const liveTokensQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...tokensKey({ kind: 'account', accountId }), 'live'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const query = { page, per_page: TOKENS_PER_REQUEST, include_expired: false };
        return bodyOf(
          api.GET(TOKENS, { signal, params: { path: { account_id: accountId }, query } }),
        );
      }),
  });

/** What the overview knows of an account. What the person may not read is undefined. */
export interface Glance {
  access: Access;
  /** Whether the person signs in with more than a password. */
  hasSecondFactor: boolean;
  /** Invited ones among them. */
  memberCount: number | undefined;
  tokens: readonly ApiToken[] | undefined;
  clients: readonly OAuthClient[] | undefined;
  gateways: readonly Gateway[] | undefined;
}

interface GlanceState {
  glance: Glance;
  /** Whether something is on its way that should come soon. */
  isLoading: boolean;
  /** Why something is missing that the person may read; undefined when nothing is. */
  failure: Error | undefined;
  retry: () => void;
}

/**
 * Asks for what the overview needs, as far as the person may read it. A new page of an account with
 * something to count or to look after adds its list here.
 */
export function useGlance(): GlanceState {
  const access = useAccountOfPage();
  const { accountId } = access;
  const ifMay = (permission: Permission) => ({ enabled: access.can(permission) });
  const { data: user } = useSuspenseQuery(userQuery);
  const members = useQuery({ ...memberCountQuery(accountId), ...ifMay('members.read') });
  const tokens = useQuery({ ...liveTokensQuery(accountId), ...ifMay('api-tokens.read') });
  const clients = useQuery({ ...oauthClientsQuery(accountId), ...ifMay('oauth-clients.read') });
  const gateways = useQuery({ ...gatewaysQuery(accountId), ...ifMay('ai-gateway.read') });
  const queries = [members, tokens, clients, gateways];
  const failed = queries.filter(({ error }) => error !== null);
  return {
    glance: {
      access,
      hasSecondFactor: user.two_factor_authentication_enabled,
      memberCount: members.data,
      tokens: tokens.data,
      clients: clients.data,
      gateways: gateways.data,
    },
    // What is tried again holds up nothing else.
    isLoading: queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    failure: failed[0]?.error ?? undefined,
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
}
