import { ReadOnly } from '../../role-needed.tsx';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateway-page.tsx';
import { CommandCard } from './command-card.tsx';
import { ConversationCard } from './conversation-card.tsx';
import { labels } from './labels.ts';
import { SettingsCard } from './settings-card.tsx';
import { usePlayground } from './use-playground.ts';

/** Playground of a gateway: models are tried through it, as the person who is signed in. */
export function Playground() {
  return (
    <IfMaySee section={labels.playground}>
      <PlaygroundOfGateway />
    </IfMaySee>
  );
}

function PlaygroundOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  return (
    <GatewayPage section={labels.playground}>
      {gateway.authentication && (
        <ReadOnly access={access} permission="ai-gateway.run" deed={labels.readOnlyAction} />
      )}
      <Bench key={`${access.accountId}/${gateway.id}`} />
    </GatewayPage>
  );
}

function Bench() {
  const { access, gateway } = useGatewayOfPage();
  const playground = usePlayground({ accountId: access.accountId, gatewayId: gateway.id });
  // Through one that is open, everybody may.
  const canSend = access.can('ai-gateway.run') || !gateway.authentication;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[21rem_minmax(0,1fr)]">
      <SettingsCard playground={playground} />
      <div className="min-w-0 space-y-6">
        <ConversationCard playground={playground} canSend={canSend} />
        <CommandCard playground={playground} />
      </div>
    </div>
  );
}
