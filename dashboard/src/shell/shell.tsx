import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { announcement, subscribeToTitle } from '../ui/page-title.ts';
import { Loading } from '../ui/states.tsx';
import { PageFailure } from './page-failure.tsx';
import { usePalette } from './palette-key.tsx';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';

/** What stands around every page: where one is, where one can go, who one is. */
export function Shell() {
  const { accountId } = useParams({ strict: false });
  const palette = usePalette(accountId);
  const main = useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <Frame
        sidebar={<Sidebar accountId={accountId} onSearch={palette.open} />}
        bar={<TopBar accountId={accountId} onSearch={palette.open} />}
      >
        <main id="main" ref={main} tabIndex={-1} className={MAIN}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </Frame>
      <PageAnnouncer />
      {palette.element}
    </>
  );
}

const MAIN = 'flex-1 px-4 py-6 outline-none sm:px-8 sm:py-9';

interface FrameProps {
  sidebar?: ReactNode;
  bar?: ReactNode;
  children: ReactNode;
}

function Frame({ sidebar, bar, children }: FrameProps) {
  return (
    <div className="min-h-svh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <div className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 h-svh">{sidebar}</div>
      </div>
      <div className="flex min-h-svh min-w-0 flex-col">
        {bar}
        {children}
      </div>
    </div>
  );
}

/** As high as the bar that is to come. */
function EmptyBar() {
  return <div className="h-12.25 border-b border-line bg-surface lg:hidden" />;
}

/** The frame while it is not yet known who is there. */
export function Starting() {
  return (
    <Frame bar={<EmptyBar />}>
      <main className={MAIN}>
        <Loading />
      </main>
    </Frame>
  );
}

/** The frame when that could not be found out. */
export function NotStarted(props: Parameters<typeof PageFailure>[0]) {
  return (
    <Frame bar={<EmptyBar />}>
      <main className={MAIN}>
        <PageFailure {...props} />
      </main>
    </Frame>
  );
}

/** Whoever uses a keyboard or a screen reader begins at the top of a new page, not where the link was. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    // Whoever has opened a dialog while the page was on its way types there.
    const isInDialog = Boolean(document.activeElement?.closest('[role="dialog"]'));
    if (last.current !== undefined && path !== last.current && !isInDialog) {
      main.current?.focus({ preventScroll: true });
    }
    last.current = path;
  }, [path]);
  return main;
}

/** Tells a screen reader which page has come, as the browser does for pages that it loads itself. */
function PageAnnouncer() {
  const title = useSyncExternalStore(subscribeToTitle, announcement);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
