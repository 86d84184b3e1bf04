import { clsx } from 'clsx';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from './icons.tsx';
import { type ReactNode, useEffect } from 'react';
import { setPageTitle } from './page-title.ts';

interface PageProps {
  title: string;
  /** What the window is called, where several pages have the same title. Default: like the page. */
  windowTitle?: string;
  /** In front of the title: the picture of what the page is about. */
  mark?: ReactNode;
  /** Beside the title, when that alone is not all: badges. */
  beside?: ReactNode;
  lead?: ReactNode;
  /** At the right of the title: what one comes here to do. */
  actions?: ReactNode;
  /** The page above this one. */
  back?: LinkProps & { label: string };
  /** For forms, which are hard to read across a wide screen. */
  isNarrow?: boolean;
  /** For tables of many columns and for charts. */
  isWide?: boolean;
  children: ReactNode;
}

/** One page: its title is also that of the window, and where screen readers begin. */
export function Page({
  title,
  windowTitle = title,
  mark,
  beside,
  lead,
  actions,
  back,
  isNarrow = false,
  isWide = false,
  children,
}: PageProps) {
  useEffect(() => setPageTitle(windowTitle), [windowTitle]);
  return (
    // Narrow pages begin where wide ones do, so that nothing jumps from page to page.
    <div className={clsx('mx-auto w-full', isWide ? 'max-w-7xl' : 'max-w-5xl')}>
      <div className={clsx(isNarrow && 'max-w-2xl')}>
        {back !== undefined && <BackLink {...back} />}
        <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {mark}
              <h1 className="text-2xl leading-tight font-semibold tracking-tight text-balance wrap-anywhere">
                {title}
              </h1>
              {beside}
            </div>
            {lead !== undefined && <p className="mt-1.5 max-w-prose text-muted">{lead}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        <div className="space-y-6">{children}</div>
      </div>
    </div>
  );
}

function BackLink({ label, ...link }: LinkProps & { label: string }) {
  return (
    <Link
      {...link}
      className="mb-3 -ml-1 inline-flex items-center gap-0.5 text-sm text-muted hover:text-text"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {label}
    </Link>
  );
}

interface CardProps {
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Below a line at the bottom: the buttons of a form, as a rule. */
  footer?: ReactNode;
  /** Without padding, for a table. */
  isFlush?: boolean;
  className?: string;
  children?: ReactNode;
}

/** One matter of a page. */
export function Card({ title, lead, actions, footer, isFlush, className, children }: CardProps) {
  const hasHeader = title !== undefined || actions !== undefined;
  return (
    <section
      className={clsx(
        'overflow-hidden rounded-xl border border-line bg-surface shadow-card',
        className,
      )}
    >
      {hasHeader && (
        <header className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4 pb-1">
          <div className={clsx('min-w-0 flex-1', lead === undefined ? 'basis-24' : 'basis-56')}>
            <h2 className="text-base font-semibold">{title}</h2>
            {lead !== undefined && <p className="mt-1 max-w-prose text-sm text-muted">{lead}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      {children !== undefined && (
        <div className={isFlush === true ? (hasHeader ? 'mt-2' : '') : 'px-5 py-4'}>{children}</div>
      )}
      {footer !== undefined && (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line bg-sunken px-5 py-3">
          {footer}
        </footer>
      )}
    </section>
  );
}

/** Names and values below each other; values may be anything. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>;
}

/** One name with its value. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[11rem_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 text-[0.9375rem] wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The same where there is no room for a name and its value in one line. */
export function StackedFacts({ children }: { children: ReactNode }) {
  return <dl className="space-y-3">{children}</dl>;
}

/** One name above its value. */
export function StackedFact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 text-[0.9375rem] wrap-anywhere">{children}</dd>
    </div>
  );
}
