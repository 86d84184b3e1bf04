import type { ReactNode } from 'react';

interface FigureTileProps {
  name: string;
  /** Undefined: it is on its way. */
  value: ReactNode;
  /** What else is to be said of it. */
  note?: ReactNode;
}

/** A figure that is to be seen at a glance; several stand in a {@link FigureRow}. */
export function FigureTile({ name, value, note }: FigureTileProps) {
  return (
    <div className="min-w-0 bg-surface px-5 py-3.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5">
        <span className="block text-xl leading-snug font-semibold tracking-tight tabular-nums wrap-anywhere">
          {value ?? <span aria-hidden className="skeleton inline-block h-6 w-16 align-middle" />}
        </span>
        {note !== undefined && <span className="block text-sm text-muted">{note}</span>}
      </dd>
    </div>
  );
}

/** Figures beside each other, as many in a row as there is room for. */
export function FigureRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] max-sm:[&>:last-child:nth-child(odd)]:col-span-2">
        {children}
      </dl>
    </section>
  );
}
