import { ScrollText, SearchX } from '../../ui/icons.tsx';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { Gateway } from '../../api/gateways.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { type LogSearch, changed, isNarrowed } from './log-search.ts';

interface NoLogsProps {
  gateway: Gateway;
  place: GatewayPlace;
  search: LogSearch;
  onSearch: (search: LogSearch) => void;
}

/** There is no log to show: why, and what to do about it. */
export function NoLogs({ gateway, place, search, onSearch }: NoLogsProps) {
  const isNarrow = isNarrowed(search);
  const hasTime = search.range !== undefined;
  if (isNarrow || hasTime) {
    const anyTime = { range: undefined, since: undefined, until: undefined };
    return (
      <Card>
        <Empty
          icon={<SearchX />}
          title={isNarrow ? labels.noMatchingLogs : labels.noLogsInThisPeriod}
          actions={
            <>
              {isNarrow && (
                <Button onClick={() => onSearch(changed(search, { f: undefined, q: undefined }))}>
                  {labels.removeFilters}
                </Button>
              )}
              {hasTime && (
                <Button onClick={() => onSearch(changed(search, anyTime))}>
                  {labels.showAllTimes}
                </Button>
              )}
            </>
          }
        >
          {reason(search)}
        </Empty>
      </Card>
    );
  }
  return <NothingLogged gateway={gateway} place={place} />;
}

function reason(search: LogSearch): string {
  if (!isNarrowed(search)) return labels.thereMayBeOlderLogs;
  return search.q === undefined ? labels.noLogMatchesAllFilters : labels.theSearchCoversTheModel;
}

function NothingLogged({ gateway, place }: Pick<NoLogsProps, 'gateway' | 'place'>) {
  const params = { accountId: place.accountId, gatewayId: gateway.id };
  if (!gateway.collect_logs) {
    return (
      <Card>
        <Empty
          icon={<ScrollText />}
          title={labels.logsAreDisabled}
          actions={
            <LinkButton
              look="primary"
              to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings"
              params={params}
            >
              {labels.openSettings}
            </LinkButton>
          }
        >
          {labels.thisGatewayDoesntLog}
        </Empty>
      </Card>
    );
  }
  return (
    <Card>
      <Empty
        icon={<ScrollText />}
        title={labels.noLogsYet}
        actions={
          <>
            <LinkButton
              look="primary"
              to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/playground"
              params={params}
            >
              {labels.openPlayground}
            </LinkButton>
            <LinkButton to="/accounts/$accountId/ai-gateway/gateways/$gatewayId" params={params}>
              {labels.connectAClient}
            </LinkButton>
          </>
        }
      >
        {labels.requestsToThisGatewayAppear}
      </Empty>
    </Card>
  );
}
