import { useLocation, useRouter } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { Access } from '../../api/accounts.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { Gateway } from '../../api/gateways.ts';
import { focusPage } from '../../lib/focus-page.ts';
import { Callout } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { neededNames } from './log-callers.ts';
import { type CallerNames, useCallerNames } from '../../api/caller-names.ts';
import { LogDetail } from './detail/log-detail.tsx';
import { NoLogs } from './no-logs.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ListFailure } from './list-failure.tsx';
import { ListEnd } from './list-end.tsx';
import { LiveSwitch, Newcomers } from './live-tail.tsx';
import { LogTable } from './log-table.tsx';
import { formatOrder } from './log-order.ts';
import { type LogSearch, changed, filtersOf, orderOf } from './log-search.ts';
import { OrderSelect } from './order-select.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import { type LogList, useLogList } from './use-log-list.ts';
import { type Tail, useTail } from './use-tail.ts';
import { metadataKeysOf } from './value-suggestions.ts';

interface LogsViewProps {
  access: Access;
  gateway: Gateway;
  search: LogSearch;
  /** Leads to another search; in the place of this one, when it is no step to come back to. */
  onSearch: (search: LogSearch, isInPlace?: boolean) => void;
}

/** The log of a gateway, with what narrows it, and the details of the log that is open. */
export function LogsView({ access, gateway, search, onSearch }: LogsViewProps) {
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  const list = useLogList(place, search);
  const logs = list.logs ?? [];
  const names = useCallerNames(access, neededBy(search, neededNames(logs)));
  const table = useRef<HTMLDivElement>(null);
  const isLive = search.live === 'yes' && canBeLive(search);
  const tail = useTail(
    place,
    search,
    isLive,
    () => search.log !== undefined || isReadFurtherDown(table.current),
  );
  return (
    <div className="space-y-4">
      <FilterBar
        source={{ gateway: place, metadataKeys: metadataKeysOf(logs) }}
        names={names}
        search={search}
        onSearch={onSearch}
      >
        <OrderSelect
          order={orderOf(search)}
          onOrder={(order) => onSearch(changed(search, { sort: formatOrder(order) }))}
        />
      </FilterBar>
      {!gateway.collect_logs && logs.length > 0 && (
        <Callout tone="warning">{labels.loggingIsDisabledIn}</Callout>
      )}
      <div ref={table} className="space-y-3">
        <LogToolbar
          {...{ access, place, search, names, list, onSearch }}
          onDeleted={() => onSearch(changed(search, {}), true)}
        >
          <LiveSwitch
            isOn={isLive}
            error={tail.error}
            onChange={(isOn) => onSearch(withLive(search, isOn), true)}
            isPossible={search.range !== 'custom'}
          />
        </LogToolbar>
        <ListFailure list={list} search={search} onSearch={onSearch} />
        <Newcomers
          tail={tail}
          onShow={() => {
            tail.show();
            focusPage();
            table.current?.scrollIntoView({ block: 'start' });
          }}
        />
        <Logs {...{ gateway, place, search, onSearch, list, names, tail }} />
      </div>
      <Detail gateway={gateway} search={search} onSearch={onSearch} list={list} />
    </div>
  );
}

/** Filters name tokens and people, too. */
function neededBy(
  search: LogSearch,
  needed: Record<'tokens' | 'people' | 'applications', boolean>,
): typeof needed {
  const fields = new Set(filtersOf(search).map(({ field }) => field));
  const hasApplications = fields.has('oauth_client_id') || needed.applications;
  return {
    tokens: fields.has('token_id') || needed.tokens,
    people: fields.has('user_id') || needed.people,
    applications: hasApplications,
  };
}

/** Only what begins with the newest, and does not end, grows at its beginning. */
function canBeLive(search: LogSearch): boolean {
  const { by, direction } = orderOf(search);
  const isFromNewest = by === 'created_at' && direction === 'desc' && search.after === undefined;
  return isFromNewest && search.range !== 'custom';
}

/** Who wants to see what comes wants the newest first. */
function withLive(search: LogSearch, isOn: boolean): LogSearch {
  return changed(search, isOn ? { live: 'yes', sort: undefined } : { live: undefined });
}

/** Whether the beginning of the list is out of sight, or the keyboard is somewhere in it. */
function isReadFurtherDown(list: HTMLElement | null): boolean {
  if (list === null) return false;
  const { activeElement } = document;
  const isInRow =
    activeElement?.matches('a[data-log]:focus-visible') === true && list.contains(activeElement);
  return isInRow || list.getBoundingClientRect().top < 0;
}

interface LogsProps extends Omit<LogsViewProps, 'access'> {
  place: GatewayPlace;
  list: LogList;
  names: CallerNames;
  tail: Tail;
}

function Logs({ gateway, place, search, onSearch, list, names, tail }: LogsProps) {
  const hrefOf = useHrefOf(search);
  const { logs } = list;
  if (logs === undefined) {
    if (list.error !== null) return null;
    return (
      <Card>
        <LoadingRows rows={8} />
      </Card>
    );
  }
  if (logs.length === 0) {
    if (list.error !== null) return null;
    return <NoLogs gateway={gateway} place={place} search={search} onSearch={onSearch} />;
  }
  return (
    <>
      <div
        aria-busy={list.isOld || undefined}
        className={list.isOld && list.error === null ? 'opacity-60' : undefined}
      >
        <Card isFlush>
          <LogTable
            logs={logs}
            names={names}
            order={orderOf(search)}
            onOrder={(order) => onSearch(changed(search, { sort: formatOrder(order) }))}
            open={search.log}
            onOpen={(log) => onSearch({ ...search, log })}
            hrefOf={hrefOf}
            fresh={tail.fresh}
          />
        </Card>
      </div>
      {!list.isOld && <ListEnd list={list} search={search} onSearch={onSearch} />}
    </>
  );
}

// No id of a log, and nothing that anybody looks for.
const ANY = '00000000-0000-0000-0000-000000000000';

/** The address of each log, worked out once for all of them. */
function useHrefOf(search: LogSearch): (id: string) => string {
  const router = useRouter();
  const { pathname } = useLocation();
  const href = useMemo(
    () => router.buildLocation({ to: pathname, search: { ...search, log: ANY } }).href,
    [router, pathname, search],
  );
  return (id) => href.replace(ANY, id);
}

interface DetailProps extends Omit<LogsViewProps, 'access'> {
  list: LogList;
}

function Detail({ gateway, search, onSearch, list }: DetailProps) {
  const { log, ...listed } = search;
  const logs = list.logs ?? [];
  const index = logs.findIndex(({ id }) => id === log);
  const go = (step: 1 | -1): void => {
    const next = logs[index + step];
    if (next !== undefined) onSearch({ ...search, log: next.id }, true);
    // It is there at the next step.
    else if (step === 1 && list.next === 'more') list.more();
  };
  return (
    <LogDetail
      gateway={gateway}
      logId={log}
      onClose={() => onSearch(listed, true)}
      {...(index !== -1 && { onStep: go })}
    />
  );
}
