import { useNavigate, useSearch } from '@tanstack/react-router';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateways/gateway-page.tsx';
import { labels } from './labels.ts';
import { LogsView } from './logs-view.tsx';

const ROUTE = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs';

/** What went through a gateway. */
export function GatewayLogs() {
  return (
    <IfMaySee section={labels.logs}>
      <LogsOfGateway />
    </IfMaySee>
  );
}

function LogsOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  return (
    <GatewayPage section={labels.logs}>
      <LogsView
        access={access}
        gateway={gateway}
        search={search}
        onSearch={(next, isInPlace = false) =>
          void navigate({ search: next, replace: isInPlace, resetScroll: false })
        }
      />
    </GatewayPage>
  );
}
