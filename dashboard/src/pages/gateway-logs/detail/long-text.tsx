import type { ReactNode } from 'react';

/** A text of many lines, as it is; it scrolls by itself. */
export function LongText({ label, children }: { label: string; children: ReactNode }) {
  return (
    // It scrolls, so the keyboard must come to it (WCAG 2.1.1).
    <pre
      role="region"
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      className="max-h-[32rem] overflow-auto rounded-lg border border-line bg-page p-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap wrap-anywhere"
    >
      {children}
    </pre>
  );
}
