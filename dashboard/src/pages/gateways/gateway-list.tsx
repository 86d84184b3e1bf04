import { usePrefetchQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Waypoints } from '../../ui/icons.tsx';
import { useState } from 'react';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { todayByGatewayQuery } from '../../api/gateway-activity.ts';
import { type Gateway, gatewaysQuery } from '../../api/gateways.ts';
import { counted } from '../../lib/counted.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput, Select } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, LoadFailure } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { CreateLink } from '../create-link.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { type GatewayOrder, gatewayColumns, inOrder } from './gateway-rows.tsx';
import { labels } from './labels.ts';
import { TodayOfAll } from './overview/today-of-all.tsx';

const LIST = '/accounts/$accountId/ai-gateway/gateways';
// Nobody reads more at once.
const ROWS_AT_ONCE = 100;
// A shorter list is seen at a glance.
const LONG = 8;

const LEAD = labels.programsSendRequestsToAi;

/** The AI gateways of an account. */
export function GatewayList() {
  const access = useAccountOfPage();
  if (access.can('ai-gateway.read')) return <VisibleList access={access} />;
  return (
    <Page title={labels.gateways} lead={LEAD}>
      <Unseen
        access={access}
        permission="ai-gateway.read"
        icon={<Waypoints />}
        what={labels.hiddenSubject}
      />
    </Page>
  );
}

function VisibleList({ access }: { access: Access }) {
  // Both at once: the figures of many gateways take longer than the list.
  usePrefetchQuery(todayByGatewayQuery(access.accountId, 'requests'));
  const { data: gateways } = useSuspenseQuery(gatewaysQuery(access.accountId));
  const isEmpty = gateways.length === 0;
  return (
    <Page
      title={labels.gateways}
      lead={LEAD}
      actions={!isEmpty && <CreateButton access={access} />}
    >
      <ReadOnly access={access} permission="ai-gateway.write" deed={labels.changeAction} />
      {isEmpty ? <NoGateways access={access} /> : <Gateways access={access} gateways={gateways} />}
    </Page>
  );
}

function CreateButton({ access }: { access: Access }) {
  const params = { accountId: access.accountId };
  return (
    <CreateLink
      isAllowed={access.can('ai-gateway.write')}
      label={labels.createGateway}
      link={{ to: '/accounts/$accountId/ai-gateway/new-gateway', params }}
    />
  );
}

function NoGateways({ access }: { access: Access }) {
  return (
    <Card>
      <Empty
        icon={<Waypoints />}
        title={labels.noGatewaysYet}
        actions={<CreateButton access={access} />}
      >
        <p>{labels.aGatewayConnectsYourPrograms}</p>
        <p className="mt-2">
          One gateway is enough to start. The first request with a token and without a gateway name
          creates the gateway <code className="font-mono">default</code>.
        </p>
      </Empty>
    </Card>
  );
}

/** What somebody looks for; the address keeps it. */
function useWanted(accountId: string): [typed: string, search: (text: string) => void] {
  const { name } = useSearch({ from: LIST });
  const navigate = useNavigate();
  // The address follows: it comes too late for who types fast.
  const [typed, setTyped] = useState(name ?? '');
  const search = (text: string): void => {
    setTyped(text);
    void navigate({
      to: LIST,
      params: { accountId },
      search: text === '' ? {} : { name: text },
      replace: true,
      resetScroll: false,
    });
  };
  return [typed, search];
}

interface GatewaysProps {
  access: Access;
  gateways: readonly Gateway[];
}

function Gateways({ access: { accountId }, gateways }: GatewaysProps) {
  const [typed, search] = useWanted(accountId);
  const [order, setOrder] = useState<GatewayOrder>('name');
  const query = todayByGatewayQuery(accountId, order === 'name' ? 'requests' : order);
  const { data: today, error, refetch } = useQuery(query);
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  const wanted = typed.trim().toLowerCase();
  const found = inOrder(
    gateways.filter(({ id }) => id.includes(wanted)),
    order,
    today,
  );
  const shown = found.slice(0, limit);
  return (
    <>
      <TodayOfAll today={today} />
      {error !== null && today === undefined && (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      )}
      {(gateways.length > LONG || wanted !== '') && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SearchInput
            label={labels.searchByName}
            value={typed}
            onChange={(event) => search(event.target.value)}
          />
          <Order value={order} onChange={setOrder} />
          <p role="status" className="text-sm text-muted">
            {wanted === ''
              ? counted(gateways.length, 'gateway')
              : labels.of(found.length, counted(gateways.length, 'gateway'))}
          </p>
        </div>
      )}
      <Card isFlush>
        {found.length === 0 ? (
          <Empty
            title={labels.noMatchingGateways}
            actions={<Button onClick={() => search('')}>{labels.showAllGateways}</Button>}
          />
        ) : (
          <Table
            caption={labels.gateways}
            columns={gatewayColumns(accountId, today)}
            rows={shown}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      {shown.length < found.length && (
        <More
          shown={shown.length}
          all={found.length}
          onMore={() => setLimit(limit + ROWS_AT_ONCE)}
        />
      )}
    </>
  );
}

interface MoreProps {
  shown: number;
  all: number;
  onMore: () => void;
}

function More({ shown, all, onMore }: MoreProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={onMore}>{labels.showMore}</Button>
      <p className="text-sm text-muted">{labels.shownOf(shown, counted(all, 'gateway'))}</p>
    </div>
  );
}

interface OrderProps {
  value: GatewayOrder;
  onChange: (order: GatewayOrder) => void;
}

function Order({ value, onChange }: OrderProps) {
  return (
    <Select
      aria-label={labels.order}
      className="w-full sm:w-52"
      value={value}
      onChange={(event) => onChange(event.target.value as GatewayOrder)}
    >
      <option value="name">{labels.byName}</option>
      <option value="requests">{labels.mostRequestsToday}</option>
      <option value="errors">{labels.mostErrorsToday}</option>
      <option value="cost">{labels.highestCostToday}</option>
    </Select>
  );
}
