import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, resultOf } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { LoadFailure, LoadingRows } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { serverNow } from '../../lib/server-time.ts';
import { describeAction, describeActor, nameOf, resultWords } from '../audit-log/audit-words.ts';
import { labels } from './labels.ts';

const ROWS = 6;
const LOOK_BACK_MS = 30 * 86_400_000;

const latestQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'audit-log', 'latest'],
    // What somebody has done on another page a moment ago is in it.
    staleTime: 0,
    queryFn: ({ signal }) => {
      const nowMs = serverNow();
      const query = {
        since: new Date(nowMs - LOOK_BACK_MS).toISOString(),
        // The clock of the server may be a little ahead.
        before: new Date(nowMs + 60_000).toISOString(),
        limit: ROWS,
      };
      const params = { path: { account_id: accountId }, query };
      return resultOf(api.GET('/accounts/{account_id}/logs/audit', { signal, params }));
    },
  });

/** The last few changes in an account. */
export function LatestActivity({ accountId }: { accountId: string }) {
  const { data: rows, error, refetch } = useQuery(latestQuery(accountId));
  return (
    <Card
      title={labels.latestActivity}
      actions={
        <Link
          to="/accounts/$accountId/audit-log"
          params={{ accountId }}
          className="text-sm font-medium text-accent hover:underline"
        >
          {labels.auditLog}
        </Link>
      }
      isFlush
    >
      {error !== null && (
        <div className="px-5 pb-4">
          <LoadFailure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {rows === undefined && error === null && <Waiting />}
      {rows?.length === 0 && <p className="px-5 pb-4 text-muted">{labels.noChangesInTheLast}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li
              key={row.id}
              className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-2.5 text-[0.9375rem]"
            >
              <span className="min-w-0 wrap-anywhere">
                {describeAction(row)} <span className="text-muted">{nameOf(row)}</span>
                {row.action.result === 'failure' && (
                  <>
                    {' '}
                    <Badge tone="danger">{resultWords(row)}</Badge>
                  </>
                )}
              </span>
              <span className="text-sm text-muted">
                {describeActor(row).who} · <Time value={row.action.time} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Waiting() {
  return (
    <div className="px-5 pt-2 pb-5">
      <LoadingRows rows={ROWS} />
    </div>
  );
}
