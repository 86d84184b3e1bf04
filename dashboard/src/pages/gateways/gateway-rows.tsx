import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Figures } from '../../api/analytics.ts';
import type { TodayByGateway, TodayOrder } from '../../api/gateway-activity.ts';
import type { Gateway } from '../../api/gateways.ts';
import { formatCost, formatCount, formatShare, formatShort } from '../../lib/figures.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { labels } from './labels.ts';

/** By what the list of gateways is ordered. */
export type GatewayOrder = 'name' | TodayOrder;

/** The gateways in an order: the most first, and those that are alike by name. */
export function inOrder(
  gateways: readonly Gateway[],
  order: GatewayOrder,
  today: TodayByGateway | undefined,
): Gateway[] {
  const rank = ({ id }: Gateway): number =>
    order === 'name' ? 0 : (today?.byId.get(id)?.[order] ?? 0);
  return gateways.toSorted((one, other) => rank(other) - rank(one) || (one.id < other.id ? -1 : 1));
}

/** What the list tells of each gateway; figures are empty until they are there. */
export function gatewayColumns(
  accountId: string,
  today: TodayByGateway | undefined,
): Column<Gateway>[] {
  const figure = (
    title: string,
    show: (figures: Figures) => ReactNode,
    nothing = '0',
  ): Column<Gateway> => ({
    title,
    isAtEnd: true,
    cell: ({ id }) => <Figure id={id} today={today} nothing={nothing} show={show} />,
  });
  return [
    { title: labels.gateway, cell: (gateway) => <Name accountId={accountId} gateway={gateway} /> },
    {
      title: labels.authentication,
      cell: ({ authentication }) => <AuthenticationBadge isOn={authentication} />,
    },
    figure(labels.requestsToday, ({ requests }) => (
      <span title={formatCount(requests)}>{formatShort(requests)}</span>
    )),
    figure(labels.errors, (figures) => <Errors figures={figures} />),
    figure(labels.cost, ({ cost }) => (cost === 0 ? <None>$0</None> : formatCost(cost)), '$0'),
  ];
}

/** Whether a gateway asks for a token. */
export function AuthenticationBadge({ isOn }: { isOn: boolean }) {
  return isOn ? (
    <Badge tone="good">{labels.authenticated}</Badge>
  ) : (
    <Badge tone="warning">{labels.open}</Badge>
  );
}

function Name({ accountId, gateway: { id } }: { accountId: string; gateway: Gateway }) {
  return (
    <Link
      to="/accounts/$accountId/ai-gateway/gateways/$gatewayId"
      params={{ accountId, gatewayId: id }}
      className="font-medium wrap-anywhere hover:underline"
    >
      {id}
    </Link>
  );
}

interface FigureProps {
  id: string;
  today: TodayByGateway | undefined;
  /** What is shown of a gateway without requests. */
  nothing: string;
  show: (figures: Figures) => ReactNode;
}

function Figure({ id, today, nothing, show }: FigureProps) {
  if (today === undefined) return <span aria-hidden className="skeleton inline-block h-4 w-10" />;
  const figures = today.byId.get(id);
  if (figures !== undefined) return <span className="tabular-nums">{show(figures)}</span>;
  if (today.others === undefined) return <None>{nothing}</None>;
  return (
    <span className="text-muted" title={labels.figuresAreAvailable}>
      –
    </span>
  );
}

function Errors({ figures: { requests, errors } }: { figures: Figures }) {
  if (errors === 0) return <None />;
  return (
    <span
      className="text-danger"
      title={labels.errorsOf(formatCount(errors), formatCount(requests))}
    >
      {formatShort(errors)} <span className="text-sm">({formatShare(errors, requests)})</span>
    </span>
  );
}

function None({ children = '0' }: { children?: string }) {
  return <span className="text-muted">{children}</span>;
}
