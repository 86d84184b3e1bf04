import type { Finding } from '../../../lib/authorization-url.ts';
import type { Difference } from '../../../lib/registered-redirect.ts';
import { Badge } from '../../../ui/badge.tsx';
import { labels } from './labels.ts';

/** One thing about an address, and what to do about it. */
export function FindingItem({ finding }: { finding: Finding }) {
  const { parameter, answer, problem, mend, difference } = finding;
  const isFault = answer !== undefined;
  return (
    <li className="space-y-1.5 px-3.5 py-3 text-[0.9375rem]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={isFault ? 'danger' : 'info'}>{isFault ? labels.error : labels.advice}</Badge>
        {parameter !== undefined && (
          <code className="font-mono text-sm break-all text-muted">{parameter}</code>
        )}
      </p>
      <p className="font-medium wrap-anywhere">{problem}</p>
      <p className="wrap-anywhere">{mend}</p>
      {difference !== undefined && <Comparison difference={difference} />}
    </li>
  );
}

/** The address that was asked for above the registered one that is nearest, with what differs marked. */
function Comparison({ difference: { start, asked, registered, end } }: { difference: Difference }) {
  const lines = [
    [labels.inTheUrl, asked],
    [labels.registered, registered],
  ] as const;
  return (
    <dl className="space-y-1 rounded-md bg-sunken px-3 py-2">
      {lines.map(([name, middle]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="w-28 shrink-0 text-sm text-muted">{name}</dt>
          <dd className="min-w-0 font-mono text-sm break-all">
            {start}
            {middle === '' ? (
              <span className="text-muted">
                <span aria-hidden>‸</span>
                <span className="sr-only">{labels.nothing}</span>
              </span>
            ) : (
              <mark className="rounded-xs bg-warning-soft font-semibold text-warning underline">
                {middle}
              </mark>
            )}
            {end}
          </dd>
        </div>
      ))}
    </dl>
  );
}
