import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

interface Section {
  label: string;
  link: LinkProps;
  /** Whether pages below it are part of it. */
  hasPagesBelow?: boolean;
}

/** Leads between the pages of one thing; on a narrow screen it scrolls by itself. */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    showCurrent(nav.current, pathname);
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className="-mt-2 overflow-x-auto border-b border-line">
      <ul className="flex gap-1">
        {sections.map(({ label: name, link, hasPagesBelow = false }) => (
          <li key={name}>
            <Link
              {...link}
              activeOptions={{ exact: !hasPagesBelow, includeSearch: false }}
              className="-mb-px block min-h-9 border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls sideways until the page that is shown is seen, and nothing else. */
function showCurrent(nav: HTMLElement | null, pathname: string): void {
  const links = [...(nav?.querySelectorAll('a') ?? [])];
  // The first page is above all others.
  const current = links.findLast((link) => pathname.startsWith(link.pathname));
  if (nav === null || current === undefined) return;
  const [outer, inner] = [nav.getBoundingClientRect(), current.getBoundingClientRect()];
  // In the middle, so that its neighbours show that there are more.
  nav.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
