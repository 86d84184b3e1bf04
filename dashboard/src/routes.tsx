import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { membershipsQuery, userQuery } from './api/people.ts';
import { queryClient } from './api/query-client.ts';
import { oauthClientQuery } from './api/oauth-clients.ts';
import { tokenQuery } from './api/tokens.ts';
import { parseAuditSearch } from './pages/audit-log/audit-search.ts';
import { parseTokenSearch } from './pages/tokens/token-search.ts';
import { forgetAccount, rememberAccount, rememberedAccount } from './session/remembered-account.ts';
import { lazyRouteComponent } from './shell/lazy-page.ts';
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
  }),
  createRoute({
    ...inAccount,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/members/member-list.tsx'), 'MemberList'),
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
  }),
  createRoute({
    ...inProfile,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./pages/profile/sessions.tsx'), 'Sessions'),
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
