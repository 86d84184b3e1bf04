import { useQuery } from '@tanstack/react-query';
import {
  type ClientPlace,
  type ClientStats,
  clientStatsQuery,
} from '../../../api/oauth-client-changes.ts';
import { counted } from '../../../lib/counted.ts';
import { Card } from '../../../ui/page.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { labels } from './labels.ts';

/** How many people use a client: numbers, and never who. */
export function UsersCard({ place }: { place: ClientPlace }) {
  const { data: stats, error, refetch } = useQuery(clientStatsQuery(place));
  return (
    <Card title={labels.activeUsers} lead={labels.usersThisClientHasActed}>
      {stats !== undefined && <Numbers stats={stats} />}
      {stats === undefined && error === null && <div className="skeleton h-32" />}
      {stats === undefined && error !== null && (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  );
}

function Numbers({ stats }: { stats: ClientStats }) {
  const { authorized_users: users, grants, active_users: active } = stats;
  const rows = [
    [labels.lastDay, active.last_day],
    [labels.last7Days, active.last_7_days],
    [labels.last30Days, active.last_30_days],
  ] as const;
  const most = Math.max(users, ...rows.map(([, people]) => people), 1);
  return (
    <>
      <dl className="space-y-3">
        {rows.map(([name, people]) => (
          <div key={name} className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 gap-y-1">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-semibold tabular-nums">{people.toLocaleString('en')}</dd>
            <dd className="col-span-2">
              <ProgressBar value={people} max={most} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t border-line pt-3 text-[0.9375rem]">
        {users === 0
          ? labels.noUserHasCurrentlyAuthorized
          : `${counted(users, labels.personHas, labels.peopleHave)} authorized it, with ${counted(grants, 'authorization')}, one for each selected set of accounts.`}
      </p>
    </>
  );
}
