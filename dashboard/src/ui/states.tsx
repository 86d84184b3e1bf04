import type { ReactNode } from 'react';
import { EditConflict } from '../api/edit.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { ApiFailure, describeFailure } from '../api/failure.ts';
import { focusPage } from '../lib/focus-page.ts';
import { Callout } from './badge.tsx';
import { Button } from './button.tsx';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** What makes it not empty. */
  actions?: ReactNode;
}

/** There is nothing here yet: what would be here, and how it comes. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      {icon !== undefined && (
        <div aria-hidden className="mb-3 rounded-full bg-sunken p-3 text-muted [&_svg]:size-6">
          {icon}
        </div>
      )}
      <h2 className="font-semibold">{title}</h2>
      {children !== undefined && (
        <div className="mt-1 max-w-md text-[0.9375rem] text-balance text-muted">{children}</div>
      )}
      {actions !== undefined && (
        <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>
      )}
    </div>
  );
}

/** What a page looks like before it is there. */
export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <div className="appear-late mx-auto w-full max-w-5xl">
      <div className="skeleton mb-8 h-8 w-56" />
      <div className="rounded-xl border border-line bg-surface p-5">
        <LoadingRows rows={rows} />
      </div>
    </div>
  );
}

/** Stands where rows will be. */
export function LoadingRows({ rows }: { rows: number }) {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: rows }, (_row, index) => (
        <div key={index} className="skeleton h-5" />
      ))}
    </div>
  );
}

const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** What has happened, in a few words. */
export function failureTitle(error: unknown): string {
  if (!(error instanceof ApiFailure)) return 'This page failed';
  if (error.status === FORBIDDEN) return "You don't have access";
  return error.status === NOT_FOUND ? 'Not found' : 'Loading failed';
}

// The API tells programs of a path.
const NOTHING = 'It may have been deleted, or the URL is wrong.';

interface LoadFailureProps {
  error: unknown;
  /** The page has the title already. */
  isUntitled?: boolean;
  onRetry?: () => void;
}

/** Something could not be loaded: why, and another try. */
export function LoadFailure({ error, isUntitled = false, onRetry }: LoadFailureProps) {
  const isTransient = !(error instanceof ApiFailure) || error.isTransient;
  const isOfNothing = error instanceof ApiFailure && error.status === NOT_FOUND;
  const retry = (): void => {
    // The button is about to go, and the focus would go with it.
    focusPage();
    onRetry?.();
  };
  const requestId = error instanceof ApiFailure ? error.requestId : undefined;
  return (
    <Callout
      // What will not change by itself is no fault.
      tone={isTransient ? 'danger' : 'neutral'}
      isAlert
      title={isUntitled ? undefined : failureTitle(error)}
      actions={
        onRetry !== undefined && isTransient ? (
          <Button onClick={retry}>Try again</Button>
        ) : undefined
      }
    >
      <p>{isOfNothing ? NOTHING : describeFailure(error)}</p>
      {requestId !== undefined && (
        <p className="mt-1 text-sm text-muted">
          Request <code className="font-mono text-xs">{requestId}</code>
        </p>
      )}
    </Callout>
  );
}

/** The refusal of something that was tried; nothing when there is none. */
export function SaveFailure({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  if (error instanceof EditConflict) return <ConflictNotice changes={error.changes} />;
  return (
    <Callout tone="danger" isAlert>
      {describeFailure(error)}
    </Callout>
  );
}
