import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { presence } from '../session/presence.ts';
import { goToSignIn, goToSignInAgain } from '../session/sign-in-page.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Empty, LoadFailure, Loading, failureTitle } from '../ui/states.tsx';
import { isOfMissingPage, missingPage } from './lazy-page.ts';

const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

/** A page that could not be loaded. Without a session there is none to be had. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const status = error instanceof ApiFailure ? error.status : undefined;
  const isSignedOut = status === UNAUTHENTICATED;
  // Everybody may know who they are: the cookie with the token of the session is gone.
  const isHalfSignedIn = status === FORBIDDEN && !presence.isKnown;
  useEffect(() => {
    if (isSignedOut) goToSignIn();
    if (isHalfSignedIn) goToSignInAgain();
  }, [isSignedOut, isHalfSignedIn]);
  if (isSignedOut || isHalfSignedIn) return <Loading />;
  const retry = (): void => {
    if (isOfMissingPage(error)) {
      location.reload();
      return;
    }
    // Without this, what has failed would not be asked for again.
    resetQueries();
    reset();
    void router.invalidate();
  };
  const told: unknown = isOfMissingPage(error) ? missingPage : error;
  return (
    <Page title={failureTitle(told)} isNarrow>
      <LoadFailure error={told} isUntitled onRetry={retry} />
    </Page>
  );
}

/** No page has this address. */
export function LostWay() {
  return (
    <Page title="Page not found">
      <Card>
        <Empty
          title="It may have been moved or deleted"
          actions={<LinkButton to="/">Go to the start page</LinkButton>}
        >
          Check the URL or search for the page.
        </Empty>
      </Card>
    </Page>
  );
}
