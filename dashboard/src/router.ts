import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routes.tsx';
import { LostWay, PageFailure } from './shell/page-failure.tsx';
import { Loading } from './ui/states.tsx';

// A page that comes sooner is not announced by a picture of itself.
const PENDING_AFTER_MS = 150;
const PENDING_AT_LEAST_MS = 300;

/** Which page an address shows, and how one comes to another. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMs: PENDING_AFTER_MS,
  defaultPendingMinMs: PENDING_AT_LEAST_MS,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: LostWay,
  scrollRestoration: true,
  // Another thing is another page: nothing that was typed or opened goes along to it.
  defaultRemountDeps: ({ params }) => params,
});

/**
 * Begins to load the page that the address names, while the server is still asked who is there. The start
 * leads on to an account.
 */
export function loadFirstPage(): void {
  const { pathname } = location;
  const [routes] = router.getMatchedRoutes(pathname === '/' ? '/accounts/any' : pathname);
  for (const route of routes) void router.loadRouteChunk(route);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
