import { useNavigate, useSearch } from '@tanstack/react-router';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateways/gateway-page.tsx';
import { LogsView } from './logs-view.tsx';

const ROUTE = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs';

/** What went through a gateway. */
export function GatewayLogs() {
  return (
    <IfMaySee section="Logs">
      <LogsOfGateway />
    </IfMaySee>
  );
}

function LogsOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  return (
    <GatewayPage section="Logs">
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
