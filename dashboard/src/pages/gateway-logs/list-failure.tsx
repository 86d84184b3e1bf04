import { ApiFailure } from '../../api/failure.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { type LogSearch, changed } from './log-search.ts';
import { DEFAULT_RANGE, type TimeRange } from './time-range.ts';
import type { LogList } from './use-log-list.ts';

interface ListFailureProps {
  list: LogList;
  search: LogSearch;
  onSearch: (search: LogSearch) => void;
}

/** Code of the API: what is asked for is so rare that too many logs would have to be looked at. */
const TOO_BROAD = 5026;

/** What could not be read; what was read before stays. */
export function ListFailure({
  list: { error, logs, refresh },
  search,
  onSearch,
}: ListFailureProps) {
  if (error === null) return null;
  const isTooBroad = error instanceof ApiFailure && error.code === TOO_BROAD;
  return (
    <div className="space-y-2">
      {isTooBroad ? (
        <TooBroad search={search} onSearch={onSearch} />
      ) : (
        <LoadFailure error={error} onRetry={refresh} />
      )}
      {logs !== undefined && logs.length > 0 && (
        <p className="text-sm text-muted">{labels.earlierResultsAreShownBelow}</p>
      )}
    </div>
  );
}

// The next shorter time that is worth a try.
const SHORTER: Readonly<Partial<Record<TimeRange, { range: TimeRange; words: string }>>> = {
  all: { range: '24h', words: labels.showTheLast24Hours },
  '30d': { range: '24h', words: labels.showTheLast24Hours },
  '7d': { range: '24h', words: labels.showTheLast24Hours },
  '24h': { range: '1h', words: labels.showTheLastHour },
};

function TooBroad({ search, onSearch }: Omit<ListFailureProps, 'list'>) {
  const shorter = SHORTER[search.range ?? DEFAULT_RANGE];
  return (
    <Callout
      tone="warning"
      isAlert
      title={labels.searchTakesTooLong}
      actions={
        shorter !== undefined && (
          <Button onClick={() => onSearch(changed(search, { range: shorter.range }))}>
            {shorter.words}
          </Button>
        )
      }
    >
      {labels.thisSearchWouldReadToo}
    </Callout>
  );
}
