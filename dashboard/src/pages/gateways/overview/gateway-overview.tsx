import { TagsCard } from '../../tags/tags-card.tsx';
import { ConnectCard } from '../connect/connect-card.tsx';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateway-page.tsx';
import { SpendCard } from '../spend/spend-card.tsx';
import { hasSpendLimits } from '../spend/spend-words.ts';
import { useTokenDialogs } from '../token/gateway-token.tsx';
import { AuthenticationCard } from './authentication-card.tsx';
import { labels } from './labels.ts';
import { RulesCard } from './rules-card.tsx';
import { SafeSteps } from './safe-steps.tsx';
import { TodayFigures } from './today-figures.tsx';

/** What a gateway did today, who may use it, and how. */
export function GatewayOverview() {
  return (
    <IfMaySee section={labels.gateway}>
      <OverviewOfGateway />
    </IfMaySee>
  );
}

function OverviewOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  const token = useTokenDialogs();
  // Limits that hold are news; that there are none can wait.
  const isLimited = hasSpendLimits(gateway);
  return (
    <GatewayPage section={labels.overview}>
      <TodayFigures />
      {gateway.authentication ? (
        <AuthenticationCard onCreateToken={token.open} />
      ) : (
        <SafeSteps onCreateToken={token.open} />
      )}
      {isLimited && <SpendCard gateway={gateway} />}
      <ConnectCard gateway={gateway} />
      {!isLimited && <SpendCard gateway={gateway} />}
      <RulesCard />
      <TagsCard accountId={access.accountId} resourceType="ai_gateway" resourceId={gateway.id} />
      {token.dialogs}
    </GatewayPage>
  );
}
