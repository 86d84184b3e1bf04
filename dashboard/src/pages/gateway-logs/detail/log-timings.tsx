import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import {
  type LogDetails,
  type WhichLog,
  eventQuery,
  stepsQuery,
} from '../../../api/gateway-log.ts';
import type { Log } from '../../../api/gateway-logs.ts';
import { formatDuration } from '../../../lib/figures.ts';
import { type TimingBar, timingBars } from '../../../lib/timing-bars.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { labels } from '../labels.ts';
import { statusTone } from '../log-cells.tsx';
import { statusWords } from './log-head.tsx';

/** When what happened, as a picture and in words; with the other calls of the same request. */
export function LogTimings({ which, log }: { which: WhichLog; log: LogDetails }) {
  const isUniversal = log.request_type === 'universal';
  const { data: steps } = useQuery({ ...stepsQuery(which, log), enabled: isUniversal });
  const bars = timingBars<Log>(steps ?? [log]);
  const totalMs = Math.max(1, ...bars.map(({ endMs }) => endMs));
  return (
    <Card
      title={labels.timings}
      lead={bars.length > 1 ? labels.callsEachAFallback(bars.length) : undefined}
    >
      <ol className="space-y-4">
        {bars.map((bar) => (
          <BarRow
            key={bar.log.id}
            bar={bar}
            totalMs={totalMs}
            isOpen={bar.log.id === log.id}
            isOneOfMany={bars.length > 1}
          />
        ))}
      </ol>
      <Scale totalMs={totalMs} />
      {log.event_id !== null && (
        <SameEvent which={which} eventId={log.event_id} shown={bars.map((bar) => bar.log.id)} />
      )}
    </Card>
  );
}

interface BarRowProps {
  bar: TimingBar<Log>;
  totalMs: number;
  /** It is the log that is looked at. */
  isOpen: boolean;
  isOneOfMany: boolean;
}

function BarRow({ bar, totalMs, isOpen, isOneOfMany }: BarRowProps) {
  const { log } = bar;
  return (
    <li aria-current={isOpen && isOneOfMany ? 'step' : undefined} className="space-y-1.5">
      {isOneOfMany && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="tabular-nums text-muted">{labels.step(log.step)}</span>
          <LogLink log={log} isOpen={isOpen} />
          <Badge tone={statusTone(log)}>{statusWords(log.status_code)}</Badge>
        </div>
      )}
      <BarPicture bar={bar} totalMs={totalMs} />
      <p className="text-sm text-muted">{describeBar(bar)}</p>
    </li>
  );
}

function LogLink({ log, isOpen }: { log: Log; isOpen: boolean }) {
  const name = (
    <bdi className="wrap-anywhere">
      {log.provider}/{log.model}
    </bdi>
  );
  if (isOpen) return <strong className="min-w-0 font-medium">{name}</strong>;
  return (
    <Link
      to="."
      search={(search: object) => ({ ...search, log: log.id })}
      resetScroll={false}
      className="min-w-0 underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {name}
    </Link>
  );
}

// The picture is as wide as there is room; its own units are parts of that.
const WIDTH = 1_000;
const LEAST_WIDTH = 4;

/** Waiting is pale, the answer is strong, and what came to nothing is red. */
function BarPicture({ bar, totalMs }: { bar: TimingBar<Log>; totalMs: number }) {
  const { startMs, firstByteMs, endMs, log } = bar;
  const at = (ms: number): number => (ms / totalMs) * WIDTH;
  const answerMs = firstByteMs ?? endMs;
  const isFailed = !log.success;
  const wait = Math.max(at(answerMs) - at(startMs), firstByteMs === undefined ? LEAST_WIDTH : 0);
  const answer = Math.max(at(endMs) - at(answerMs), LEAST_WIDTH);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      className="block h-4 w-full rounded bg-sunken"
    >
      <rect
        x={Math.min(at(startMs), WIDTH - LEAST_WIDTH)}
        width={wait}
        height="16"
        className={isFailed && firstByteMs === undefined ? 'fill-danger-line' : 'fill-accent-line'}
      />
      {firstByteMs !== undefined && (
        <rect
          x={Math.min(at(answerMs), WIDTH - LEAST_WIDTH)}
          width={answer}
          height="16"
          className={isFailed ? 'fill-danger' : 'fill-accent'}
        />
      )}
    </svg>
  );
}

/** The same in words. */
function describeBar({ log, startMs, firstByteMs, endMs }: TimingBar<Log>): string {
  const from = startMs === 0 ? '' : labels.startedAfter(formatDuration(startMs));
  const calls = log.attempts > 1 ? ` The provider was called ${log.attempts} times.` : '';
  const source = log.cached ? ' from the cache' : '';
  if (firstByteMs === undefined) {
    return labels.abortedAfter(from, formatDuration(endMs - startMs), calls);
  }
  const waited = formatDuration(firstByteMs - startMs);
  const took = formatDuration(endMs - firstByteMs);
  return labels.untilTheResponseStartedThen(from, waited, source, took, calls);
}

function Scale({ totalMs }: { totalMs: number }) {
  return (
    <div aria-hidden className="mt-3 flex justify-between gap-2 text-xs text-muted tabular-nums">
      <span>0 ms</span>
      <span className="flex flex-wrap justify-center gap-x-4">
        <Legend className="bg-accent-line">waiting</Legend>
        <Legend className="bg-accent">response</Legend>
      </span>
      <span>{formatDuration(totalMs)}</span>
    </div>
  );
}

function Legend({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={clsx('size-2.5 rounded-sm', className)} />
      {children}
    </span>
  );
}

interface SameEventProps {
  which: WhichLog;
  eventId: string;
  /** Ids of the logs that are bars already. */
  shown: readonly string[];
}

const MOST_SHOWN = 10;

/** Other requests that their caller counts to the same event, such as tries of its own. */
function SameEvent({ which, eventId, shown }: SameEventProps) {
  const { data } = useQuery(eventQuery(which, eventId));
  const others = (data ?? []).filter(({ id }) => !shown.includes(id));
  if (others.length === 0) return null;
  const listed = others.slice(0, MOST_SHOWN);
  return (
    <section className="mt-4 border-t border-line pt-3">
      <h3 className="text-sm font-medium">{labels.otherRequestsOfThisEvent}</h3>
      <ul className="mt-1.5 space-y-1.5">
        {listed.map((log) => (
          <li key={log.id} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <Badge tone={statusTone(log)}>{statusWords(log.status_code)}</Badge>
            <LogLink log={log} isOpen={false} />
            <span className="text-muted">
              {formatDuration(log.duration)}, <Time value={log.created_at} />
            </span>
          </li>
        ))}
      </ul>
      {others.length > MOST_SHOWN && (
        <p className="mt-1.5 text-sm text-muted">{labels.moreRequestsFilterTheLogs}</p>
      )}
    </section>
  );
}
