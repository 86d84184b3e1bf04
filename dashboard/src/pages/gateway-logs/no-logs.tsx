import { ScrollText, SearchX } from 'lucide-react';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { Gateway } from '../../api/gateways.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
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
          title={isNarrow ? 'No log matches' : 'Nothing was logged in this time'}
          actions={
            <>
              {isNarrow && (
                <Button onClick={() => onSearch(changed(search, { f: undefined, q: undefined }))}>
                  Remove the filters
                </Button>
              )}
              {hasTime && (
                <Button onClick={() => onSearch(changed(search, anyTime))}>Look at any time</Button>
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
  if (!isNarrowed(search)) return 'There may be older logs.';
  return search.q === undefined
    ? 'No log matches all filters. Remove one, or look further back.'
    : 'The search finds a part of the model, the provider, the path or the metadata; it does not look into what was asked and answered.';
}

function NothingLogged({ gateway, place }: Pick<NoLogsProps, 'gateway' | 'place'>) {
  const params = { accountId: place.accountId, gatewayId: gateway.id };
  if (!gateway.collect_logs) {
    return (
      <Card>
        <Empty
          icon={<ScrollText />}
          title="Logs are switched off"
          actions={
            <LinkButton
              look="primary"
              to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings"
              params={params}
            >
              Open the settings
            </LinkButton>
          }
        >
          This gateway does not log what goes through it. Switch logs on in its settings; analytics
          count requests either way.
        </Empty>
      </Card>
    );
  }
  return (
    <Card>
      <Empty
        icon={<ScrollText />}
        title="No logs yet"
        actions={
          <>
            <LinkButton
              look="primary"
              to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/playground"
              params={params}
            >
              Try it in the playground
            </LinkButton>
            <LinkButton to="/accounts/$accountId/ai-gateway/gateways/$gatewayId" params={params}>
              Connect a client
            </LinkButton>
          </>
        }
      >
        Each request that goes through the gateway appears here: model, tokens, cost, times, and
        what was asked and answered. Send the first one from the playground, or connect a client
        with the snippets of the overview.
      </Empty>
    </Card>
  );
}
