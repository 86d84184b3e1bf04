import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { membershipsQuery, userQuery } from './api/people.ts';
import { accountLimitsQuery } from './api/account-limits.ts';
import { accountQuery } from './api/accounts.ts';
import { passkeysQuery, totpQuery } from './api/factors.ts';
import { gatewayQuery, gatewaysQuery } from './api/gateways.ts';
import { membersQuery, rolesQuery } from './api/members.ts';
import { ownSessionQuery, sessionsQuery } from './api/sessions.ts';
import { queryClient } from './api/query-client.ts';
import { oauthClientQuery, oauthClientsQuery } from './api/oauth-clients.ts';
import { tokenQuery } from './api/tokens.ts';
import { parseAnalyticsSearch } from './pages/analytics/analytics-search.ts';
import { parseAuditSearch } from './pages/audit-log/audit-search.ts';
import { parseTagSearch } from './pages/tags/explorer/tag-search.ts';
import { parseProviderSearch } from './pages/custom-providers/provider-search.ts';
import { parseKeySearch } from './pages/gateways/keys/key-search.ts';
import { parseLimitSearch } from './pages/gateways/settings/limit-search.ts';
import { parseLogSearch } from './pages/gateway-logs/log-search.ts';
import { parseTokenSearch } from './pages/tokens/token-search.ts';
import { forgetAccount, rememberAccount, rememberedAccount } from './session/remembered-account.ts';
import { lazyRouteComponent } from './shell/lazy-page.ts';
import { isHeld, readBefore, readBeforeIfMay } from './shell/page-data.ts';
import { NotStarted, Shell, Starting } from './shell/shell.tsx';

/**
 * Every page of the dashboard by its address. A page is loaded when it is first looked at; adding one is
 * a line here, and one in `shell/navigation.ts` when it is a place to go to.
 */
const rootRoute = createRootRoute({
  component: Shell,
  pendingComponent: Starting,
  errorComponent: NotStarted,
  beforeLoad: async ({ preload }) => {
    // Whatever page it is, it begins with who is there; from memory after the first time. What the person may
    // do is looked up again meanwhile.
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData({ ...membershipsQuery, revalidateIfStale: !preload }),
    ]);
  },
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const memberships = await queryClient.ensureQueryData(membershipsQuery);
    const accepted = memberships.filter(({ status }) => status === 'accepted');
    const last = rememberedAccount();
    const there = accepted.find(({ account }) => account.id === last) ?? accepted[0];
    if (there === undefined) throw redirect({ to: '/profile/accounts', replace: true });
    const params = { accountId: there.account.id };
    throw redirect({ to: '/accounts/$accountId', params, replace: true });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$accountId',
  component: lazyRouteComponent(() => import('./pages/account-frame.tsx'), 'AccountFrame'),
  beforeLoad: async ({ params: { accountId }, preload }) => {
    const memberships = await queryClient.ensureQueryData(membershipsQuery);
    const isMember = memberships.some(
      ({ account, status }) => account.id === accountId && status === 'accepted',
    );
    // To point at a link is not to go there.
    if (preload) return;
    if (isMember) rememberAccount(accountId);
    else forgetAccount(accountId);
  },
});

/** What the address of the list of members tells. */
interface MemberSearch {
  /** Whether somebody is about to be invited. */
  invite?: 'yes';
  /** Which members are shown. */
  show?: string;
}

/** All pages of a gateway show it. */
const readGateway = ({ accountId, gatewayId }: { accountId: string; gatewayId: string }) =>
  readBeforeIfMay(accountId, 'ai-gateway.read', gatewayQuery(accountId, gatewayId));

/** All pages of an OAuth client show it. */
const readClient = ({ accountId, clientId }: { accountId: string; clientId: string }) =>
  readBeforeIfMay(accountId, 'oauth-clients.read', oauthClientQuery(accountId, clientId));

const inAccount = { getParentRoute: () => accountRoute };

const accountRoutes = [
  createRoute({
    ...inAccount,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    ...inAccount,
    path: '/oauth-clients',
    component: lazyRouteComponent(
      () => import('./pages/oauth-clients/client-list.tsx'),
      'ClientList',
    ),
    loader: ({ params: { accountId } }) =>
      readBeforeIfMay(accountId, 'oauth-clients.read', oauthClientsQuery(accountId)),
    validateSearch: ({ name }: Record<string, unknown>): { name?: string } =>
      typeof name === 'string' && name !== '' ? { name } : {},
  }),
  createRoute({
    ...inAccount,
    path: '/oauth-clients/new',
    component: lazyRouteComponent(
      () => import('./pages/oauth-clients/create/create-client.tsx'),
      'CreateClient',
    ),
    validateSearch: ({ step }: Record<string, unknown>): { step?: string } =>
      typeof step === 'string' ? { step } : {},
  }),
  createRoute({
    ...inAccount,
    path: '/oauth-clients/$clientId',
    component: lazyRouteComponent(
      () => import('./pages/oauth-clients/client-detail.tsx'),
      'ClientDetail',
    ),
    loader: ({ params }) => readClient(params),
  }),
  createRoute({
    ...inAccount,
    path: '/oauth-clients/$clientId/edit',
    component: lazyRouteComponent(
      () => import('./pages/oauth-clients/edit-client.tsx'),
      'EditClient',
    ),
    // A form begins with what is there now: it keeps it, whatever comes later.
    loader: ({ params: { accountId, clientId } }) =>
      queryClient.prefetchQuery(oauthClientQuery(accountId, clientId)),
  }),
  createRoute({
    ...inAccount,
    path: '/oauth-clients/$clientId/try',
    component: lazyRouteComponent(() => import('./pages/oauth-clients/try-it/try-it.tsx'), 'TryIt'),
    loader: ({ params }) => readClient(params),
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways',
    component: lazyRouteComponent(() => import('./pages/gateways/gateway-list.tsx'), 'GatewayList'),
    loader: ({ params: { accountId } }) =>
      readBeforeIfMay(accountId, 'ai-gateway.read', gatewaysQuery(accountId)),
    validateSearch: ({ name }: Record<string, unknown>): { name?: string } =>
      typeof name === 'string' && name !== '' ? { name } : {},
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/new-gateway',
    component: lazyRouteComponent(
      () => import('./pages/gateways/create-gateway.tsx'),
      'CreateGateway',
    ),
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/analytics',
    component: lazyRouteComponent(
      () => import('./pages/analytics/account-analytics.tsx'),
      'AccountAnalytics',
    ),
    validateSearch: parseAnalyticsSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/spend-limits',
    component: lazyRouteComponent(
      () => import('./pages/gateways/account-limits/account-limits.tsx'),
      'AccountLimitsPage',
    ),
    loader: ({ params: { accountId } }) =>
      readBeforeIfMay(accountId, 'ai-gateway.read', accountLimitsQuery(accountId)),
    validateSearch: parseLimitSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/custom-providers',
    component: lazyRouteComponent(
      () => import('./pages/custom-providers/custom-providers.tsx'),
      'CustomProviders',
    ),
    validateSearch: parseProviderSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId',
    component: lazyRouteComponent(
      () => import('./pages/gateways/overview/gateway-overview.tsx'),
      'GatewayOverview',
    ),
    loader: ({ params }) => readGateway(params),
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId/playground',
    component: lazyRouteComponent(
      () => import('./pages/gateways/playground/playground.tsx'),
      'Playground',
    ),
    loader: ({ params }) => readGateway(params),
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId/logs',
    component: lazyRouteComponent(
      () => import('./pages/gateway-logs/gateway-logs.tsx'),
      'GatewayLogs',
    ),
    loader: ({ params }) => readGateway(params),
    validateSearch: parseLogSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId/analytics',
    component: lazyRouteComponent(
      () => import('./pages/analytics/gateway-analytics.tsx'),
      'GatewayAnalytics',
    ),
    validateSearch: parseAnalyticsSearch,
    loader: ({ params }) => readGateway(params),
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId/keys',
    component: lazyRouteComponent(
      () => import('./pages/gateways/keys/gateway-keys.tsx'),
      'GatewayKeys',
    ),
    loader: ({ params }) => readGateway(params),
    validateSearch: parseKeySearch,
  }),
  createRoute({
    ...inAccount,
    path: '/ai-gateway/gateways/$gatewayId/settings',
    component: lazyRouteComponent(
      () => import('./pages/gateways/settings/gateway-settings.tsx'),
      'GatewaySettingsPage',
    ),
    // Its forms begin with what is there now: they keep it, whatever comes later.
    loader: async ({ params: { accountId, gatewayId } }) => {
      if (!(await isHeld(accountId, 'ai-gateway.read'))) return;
      await queryClient.prefetchQuery(gatewayQuery(accountId, gatewayId));
    },
    validateSearch: parseLimitSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/tags',
    component: lazyRouteComponent(() => import('./pages/tags/tag-explorer.tsx'), 'TagExplorer'),
    validateSearch: parseTagSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/tags/$resourceType/$resourceId',
    component: lazyRouteComponent(
      () => import('./pages/tags/tagged-resource.tsx'),
      'TaggedResource',
    ),
    validateSearch: ({ worker }: Record<string, unknown>): { worker?: string } =>
      typeof worker === 'string' || typeof worker === 'number' ? { worker: String(worker) } : {},
  }),
  createRoute({
    ...inAccount,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/members/member-list.tsx'), 'MemberList'),
    loader: ({ params: { accountId } }) =>
      Promise.all([
        readBeforeIfMay(accountId, 'members.read', membersQuery(accountId)),
        readBefore(rolesQuery(accountId)),
      ]),
    validateSearch: ({ invite, show }: Record<string, unknown>): MemberSearch => ({
      ...(invite === 'yes' && { invite }),
      ...(typeof show === 'string' && { show }),
    }),
  }),
  createRoute({
    ...inAccount,
    path: '/tokens',
    component: lazyRouteComponent(
      () => import('./pages/tokens/account-tokens.tsx'),
      'AccountTokens',
    ),
    validateSearch: parseTokenSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/tokens/new',
    component: lazyRouteComponent(
      () => import('./pages/tokens/account-tokens.tsx'),
      'NewAccountToken',
    ),
  }),
  createRoute({
    ...inAccount,
    path: '/tokens/$tokenId',
    component: lazyRouteComponent(
      () => import('./pages/tokens/account-tokens.tsx'),
      'EditAccountToken',
    ),
    loader: ({ params: { accountId, tokenId } }) =>
      queryClient.prefetchQuery(tokenQuery({ kind: 'account', accountId }, tokenId)),
  }),
  createRoute({
    ...inAccount,
    path: '/audit-log',
    component: lazyRouteComponent(() => import('./pages/audit-log/audit-log.tsx'), 'AuditLog'),
    validateSearch: parseAuditSearch,
  }),
  createRoute({
    ...inAccount,
    path: '/settings',
    component: lazyRouteComponent(
      () => import('./pages/account-settings/account-settings.tsx'),
      'AccountSettings',
    ),
    loader: ({ params: { accountId } }) => readBefore(accountQuery(accountId)),
  }),
];

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
});

const inProfile = { getParentRoute: () => profileRoute };

const profileRoutes = [
  createRoute({
    ...inProfile,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/profile/profile.tsx'), 'Profile'),
  }),
  createRoute({
    ...inProfile,
    path: '/security',
    component: lazyRouteComponent(() => import('./pages/profile/security.tsx'), 'Security'),
    loader: () =>
      Promise.all([readBefore(ownSessionQuery), readBefore(totpQuery), readBefore(passkeysQuery)]),
  }),
  createRoute({
    ...inProfile,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./pages/profile/sessions.tsx'), 'Sessions'),
    loader: () => readBefore(sessionsQuery),
  }),
  createRoute({
    ...inProfile,
    path: '/applications',
    component: lazyRouteComponent(() => import('./pages/profile/applications.tsx'), 'Applications'),
    validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
      typeof page === 'number' && page > 1 ? { page: Math.trunc(page) } : {},
  }),
  createRoute({
    ...inProfile,
    path: '/tokens',
    component: lazyRouteComponent(() => import('./pages/tokens/own-tokens.tsx'), 'OwnTokens'),
    validateSearch: parseTokenSearch,
  }),
  createRoute({
    ...inProfile,
    path: '/tokens/new',
    component: lazyRouteComponent(() => import('./pages/tokens/own-tokens.tsx'), 'NewOwnToken'),
  }),
  createRoute({
    ...inProfile,
    path: '/tokens/$tokenId',
    component: lazyRouteComponent(() => import('./pages/tokens/own-tokens.tsx'), 'EditOwnToken'),
    loader: async ({ params: { tokenId } }) => {
      const { id: userId } = await queryClient.ensureQueryData(userQuery);
      await queryClient.prefetchQuery(tokenQuery({ kind: 'user', userId }, tokenId));
    },
  }),
  createRoute({
    ...inProfile,
    path: '/accounts',
    component: lazyRouteComponent(() => import('./pages/profile/own-accounts.tsx'), 'OwnAccounts'),
  }),
  createRoute({
    ...inProfile,
    path: '/activity',
    component: lazyRouteComponent(
      () => import('./pages/audit-log/own-activity.tsx'),
      'OwnActivity',
    ),
    validateSearch: parseAuditSearch,
  }),
];

export const routeTree = rootRoute.addChildren([
  startRoute,
  accountRoute.addChildren(accountRoutes),
  profileRoute.addChildren(profileRoutes),
]);
