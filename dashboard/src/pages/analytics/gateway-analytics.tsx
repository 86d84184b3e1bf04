import { useNavigate, useSearch } from '@tanstack/react-router';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateways/gateway-page.tsx';
import { hasSpendLimits } from '../gateways/spend/spend-words.ts';
import { SpendCard } from '../gateways/spend/spend-card.tsx';
import { AnalyticsView } from './analytics-view.tsx';
import { labels } from './labels.ts';

const HERE = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/analytics';

/** The figures of one gateway. */
export function GatewayAnalytics() {
  return (
    <IfMaySee section={labels.analytics}>
      <AnalyticsOfGateway />
    </IfMaySee>
  );
}

function AnalyticsOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  const { by, ...others } = useSearch({ from: HERE });
  // Of one gateway there are no others to tell it from.
  const search = by === undefined || by === 'gateway' ? others : { ...others, by };
  const navigate = useNavigate({ from: HERE });
  return (
    <GatewayPage section={labels.analytics}>
      <AnalyticsView
        access={access}
        source={{ accountId: access.accountId, gatewayId: gateway.id }}
        search={search}
        onSearch={(next) => void navigate({ search: next, resetScroll: false })}
      >
        {hasSpendLimits(gateway) && <SpendCard gateway={gateway} />}
      </AnalyticsView>
    </GatewayPage>
  );
}
