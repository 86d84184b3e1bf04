import { usePrefetchQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
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
import { TodayOfAll } from './overview/today-of-all.tsx';

const LIST = '/accounts/$accountId/ai-gateway/gateways';
// Nobody reads more at once.
const ROWS_AT_ONCE = 100;
// A shorter list is seen at a glance.
const LONG = 8;

const LEAD =
  'Programs send their requests for AI models through a gateway. It keeps the keys, the limits and the log.';

/** The AI gateways of an account. */
export function GatewayList() {
  const access = useAccountOfPage();
  if (access.can('ai-gateway.read')) return <VisibleList access={access} />;
  return (
    <Page title="Gateways" lead={LEAD}>
      <Unseen
        access={access}
        permission="ai-gateway.read"
        icon={<Waypoints />}
        what="the AI gateways"
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
    <Page title="Gateways" lead={LEAD} actions={!isEmpty && <CreateButton access={access} />}>
      <ReadOnly
        access={access}
        permission="ai-gateway.write"
        deed="create gateways or change them"
      />
      {isEmpty ? <NoGateways access={access} /> : <Gateways access={access} gateways={gateways} />}
    </Page>
  );
}

function CreateButton({ access }: { access: Access }) {
  const params = { accountId: access.accountId };
  return (
    <CreateLink
      isAllowed={access.can('ai-gateway.write')}
      label="Create gateway"
      link={{ to: '/accounts/$accountId/ai-gateway/new-gateway', params }}
    />
  );
}

function NoGateways({ access }: { access: Access }) {
  return (
    <Card>
      <Empty
        icon={<Waypoints />}
        title="No gateways yet"
        actions={<CreateButton access={access} />}
      >
        <p>
          A gateway stands between your programs and the providers of AI models, such as OpenAI or
          Anthropic. Programs send it their requests with a token of this account; it adds the
          provider’s key, limits how much is asked and spent, and keeps a log.
        </p>
        <p className="mt-2">
          One is enough to begin with. The gateway <code className="font-mono">default</code>{' '}
          appears by itself, at the first request that carries a token and names no other gateway.
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
            label="Search by name"
            value={typed}
            onChange={(event) => search(event.target.value)}
          />
          <Order value={order} onChange={setOrder} />
          <p role="status" className="text-sm text-muted">
            {wanted === ''
              ? counted(gateways.length, 'gateway')
              : `${found.length} of ${counted(gateways.length, 'gateway')}`}
          </p>
        </div>
      )}
      <Card isFlush>
        {found.length === 0 ? (
          <Empty
            title="No gateway has this name"
            actions={<Button onClick={() => search('')}>Show all</Button>}
          />
        ) : (
          <Table
            caption="Gateways"
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
      <Button onClick={onMore}>Show more</Button>
      <p className="text-sm text-muted">
        {shown} of {counted(all, 'gateway')}
      </p>
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
      aria-label="Order"
      className="w-full sm:w-52"
      value={value}
      onChange={(event) => onChange(event.target.value as GatewayOrder)}
    >
      <option value="name">By name</option>
      <option value="requests">Most requests today</option>
      <option value="errors">Most errors today</option>
      <option value="cost">Highest cost today</option>
    </Select>
  );
}
