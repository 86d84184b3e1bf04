import { serverNow } from '../../lib/server-time.ts';
import { Select } from '../../ui/field.tsx';
import { TimeRangeForm } from '../../ui/time-range-form.tsx';
import { labels } from './labels.ts';
import { type LogSearch, changed } from './log-search.ts';
import { DEFAULT_RANGE, RANGE_WORDS, type TimeRange, windowOf } from './time-range.ts';

interface TimeFieldsProps {
  search: LogSearch;
  onSearch: (search: LogSearch) => void;
}

/** How far back the log is shown. */
export function TimeSelect({ search, onSearch }: TimeFieldsProps) {
  const choose = (range: TimeRange): void => {
    if (range !== 'custom') {
      onSearch(changed(search, { range, since: undefined, until: undefined }));
      return;
    }
    // It begins with what was shown, so that the fields are filled in.
    const nowMs = serverNow();
    const { sinceMs } = windowOf(search, nowMs);
    onSearch(
      changed(search, {
        range,
        since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
        until: undefined,
      }),
    );
  };
  return (
    <Select
      aria-label={labels.timeRange}
      className="min-w-0 flex-1 basis-36 sm:w-44 sm:flex-none sm:basis-auto"
      value={search.range ?? DEFAULT_RANGE}
      onChange={(event) => choose(event.target.value as TimeRange)}
    >
      {Object.entries(RANGE_WORDS).map(([range, words]) => (
        <option key={range} value={range}>
          {words}
        </option>
      ))}
    </Select>
  );
}

/** Beginning and end of the time; either may be left open. */
export function CustomTime({ search, onSearch }: TimeFieldsProps) {
  return (
    <TimeRangeForm
      shown={search}
      onShow={({ since, until }) => onSearch(changed(search, { since, until }))}
    />
  );
}
