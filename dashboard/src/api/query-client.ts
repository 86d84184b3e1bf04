import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

const MAX_RETRIES = 2;
const FIRST_RETRY_MS = 500;

/** Somebody who looks at an empty page is told rather than kept waiting any longer. */
const MAX_WAIT_SECONDS = 5;

/** What a page shows is at most so old when somebody comes to it. */
const FRESH_MS = 15_000;

/** Whether reading something again at once may help. What is changed is never sent again by itself. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || !error.isTransient) return false;
  // It has taken long enough already.
  return !error.isTimeout && (error.retryAfterSeconds ?? 0) <= MAX_WAIT_SECONDS;
}

/** Where the memberships of the person are remembered. */
export const MEMBERSHIPS_KEY = ['memberships'] as const;

/** What the pages remember of the API's answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The browser's own idea of being offline is often wrong; a request tells.
      networkMode: 'always',
      retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
      retryDelay: (failures, error) => {
        const wantedSeconds = error instanceof ApiFailure ? (error.retryAfterSeconds ?? 0) : 0;
        return Math.max(FIRST_RETRY_MS * 2 ** failures, wantedSeconds * 1_000);
      },
    },
    // Answers may hold secrets that are shown once: they go with what shows them.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});
