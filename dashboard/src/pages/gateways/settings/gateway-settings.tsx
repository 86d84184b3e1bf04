import { Link } from '@tanstack/react-router';
import { ReadOnly } from '../../role-needed.tsx';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateway-page.tsx';
import { AccessSettings, LendingSettings, OwnKeySettings } from './access-settings.tsx';
import { AliasSettings } from './alias-settings.tsx';
import { CacheSettings } from './cache-settings.tsx';
import { DeleteGateway } from './delete-gateway.tsx';
import { labels } from './labels.ts';
import { LogSettings } from './log-settings.tsx';
import { OtelSettings } from './otel-settings.tsx';
import { RateLimitSettings } from './rate-limit-settings.tsx';
import { RetrySettings } from './retry-settings.tsx';
import { CustomCostSettings, SpendSettings } from './spend-settings.tsx';

const SECTIONS = [
  { id: 'authentication', label: labels.authentication },
  { id: 'stored-keys', label: labels.storedKeys },
  { id: 'own-keys', label: labels.ownKeys },
  { id: 'logs', label: labels.logs },
  { id: 'cache', label: labels.cache },
  { id: 'rate-limit', label: labels.rateLimit },
  { id: 'retries', label: labels.retries },
  { id: 'spend-limits', label: labels.spendLimits },
  { id: 'custom-cost', label: labels.customCost },
  { id: 'model-aliases', label: labels.modelAliases },
  { id: 'opentelemetry', label: labels.opentelemetry },
  { id: 'delete', label: labels.deleteSection },
] as const;

/** All settings of a gateway; each card is saved by itself. */
export function GatewaySettingsPage() {
  return (
    <IfMaySee section={labels.settings}>
      <SettingsOfGateway />
    </IfMaySee>
  );
}

function SettingsOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  return (
    <GatewayPage section={labels.settings}>
      <div className="grid items-start gap-x-8 lg:grid-cols-[minmax(0,1fr)_11rem]">
        {/* Another gateway has other settings: its forms begin anew. */}
        <div key={gateway.id} className="min-w-0 space-y-6">
          <ReadOnly access={access} permission="ai-gateway.write" deed={labels.readOnlyAction} />
          <AccessSettings />
          <LendingSettings />
          <OwnKeySettings />
          <LogSettings />
          <CacheSettings />
          <RateLimitSettings />
          <RetrySettings />
          <SpendSettings />
          <CustomCostSettings />
          <AliasSettings />
          <OtelSettings />
          <DeleteGateway />
        </div>
        <Contents accountId={access.accountId} gatewayId={gateway.id} />
      </div>
    </GatewayPage>
  );
}

/** Leads to the cards of a long page. */
function Contents(params: { accountId: string; gatewayId: string }) {
  return (
    <nav aria-label={labels.onThisPage} className="sticky top-6 hidden text-sm lg:block">
      <p className="mb-2 px-3 font-medium">{labels.onThisPage}</p>
      <ul className="border-l border-line">
        {SECTIONS.map(({ id, label }) => (
          <li key={id}>
            <Link
              to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings"
              params={params}
              hash={id}
              className="block px-3 py-1.5 text-muted hover:text-text"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
