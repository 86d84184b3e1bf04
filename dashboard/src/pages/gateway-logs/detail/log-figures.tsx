import type { ReactNode } from 'react';
import type { LogDetails } from '../../../api/gateway-log.ts';
import { formatCost, formatCount, formatDuration } from '../../../lib/figures.ts';
import { isEventStream } from '../../../lib/gateway-command.ts';
import { labels } from '../labels.ts';

/** What an exchange took, at a glance. */
export function LogFigures({ log }: { log: LogDetails }) {
  const { duration, ttft, tokens_in: input, tokens_out: output, cache_tokens: cached } = log;
  const speed = speedOf(log);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-3 lg:grid-cols-5">
      <Figure name={labels.duration} value={formatDuration(duration)} />
      <Figure
        name={labels.firstToken}
        value={ttft === null ? labels.none : formatDuration(ttft)}
        isUnknown={ttft === null}
        note={speed === undefined ? undefined : `then ${formatCount(speed)} tokens a second`}
      />
      <Figure
        name={labels.tokensIn}
        value={tokensOf(input)}
        isUnknown={input === null}
        note={cached !== null && cached > 0 ? labels.ofThemCached(formatCount(cached)) : undefined}
      />
      <Figure name={labels.tokensOut} value={tokensOf(output)} isUnknown={output === null} />
      <Figure
        name={labels.cost}
        value={log.cost === undefined ? labels.unknown : formatCost(log.cost)}
        isUnknown={log.cost === undefined}
        note={costNote(log)}
        isWide
      />
    </dl>
  );
}

function tokensOf(count: number | null): string {
  return count === null ? labels.notAvailable : formatCount(count);
}

const LEAST_STREAM_MS = 100;

/** Tokens a second from the first byte on; of a stream that is long enough to tell. */
function speedOf({
  tokens_out: tokens,
  ttft,
  duration,
  response_content_type: type,
}: LogDetails): number | undefined {
  if (tokens === null || ttft === null || !isEventStream(type)) return undefined;
  const streamMs = duration - ttft;
  return streamMs < LEAST_STREAM_MS ? undefined : Math.round((tokens * 1_000) / streamMs);
}

/** Where the price comes from, or why there is none. */
function costNote(log: LogDetails): string | undefined {
  const { cost, cached, custom_cost: isCustom, tokens_in: input, tokens_out: output } = log;
  if (cost === undefined) {
    return input === null && output === null
      ? labels.theProviderReportedNoToken
      : labels.thePriceOfThisModel;
  }
  if (cached) return labels.responsesFromTheCache;
  if (log.usage_source === 'estimate') return labels.estimatedBecauseTheProviderReported;
  return isCustom ? labels.priceFromTheRequest : undefined;
}

interface FigureProps {
  name: string;
  value: string;
  note?: ReactNode;
  isUnknown?: boolean;
  /** Takes what is left of its line on a narrow screen. */
  isWide?: boolean;
}

function Figure({ name, value, note, isUnknown = false, isWide = false }: FigureProps) {
  return (
    <div className={`bg-surface px-4 py-3 ${isWide ? 'col-span-2 lg:col-span-1' : ''}`}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5">
        <span className={isUnknown ? 'text-muted' : 'text-lg font-semibold tabular-nums'}>
          {value}
        </span>
        {note !== undefined && <span className="block text-xs text-muted">{note}</span>}
      </dd>
    </div>
  );
}
