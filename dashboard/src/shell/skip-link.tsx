import type { MouseEvent } from 'react';

function skip(event: MouseEvent): void {
  // Followed as a link it would count as leaving the page, which forms with something unsaved ask about.
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** First of all, for those who go through every page by keyboard. */
export function SkipLink() {
  return (
    <a
      href="#main"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2 focus:shadow-float"
    >
      Skip to main content
    </a>
  );
}
