import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { runTokensQuery } from '../../../api/gateway-activity.ts';
import { Check } from '../../../ui/field.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';
import { SettingsCard } from './settings-card.tsx';
import { type SpendDraft, fieldOfSpend, readSpend, writeSpend } from './spend-draft.ts';
import { SpendRules } from './spend-rules.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const SETTINGS = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';

/** The spend limits of the gateway. */
export function SpendSettings() {
  const { access, gateway } = useGatewayOfPage();
  const form = useSettingsForm<SpendDraft>({
    read: readSpend,
    write: writeSpend,
    fieldOf: fieldOfSpend,
  });
  const limited = useSearch({ from: SETTINGS });
  const { data: tokens = [] } = useQuery({
    ...runTokensQuery({ accountId: access.accountId, gatewayId: gateway.id }),
    enabled: access.can('api-tokens.read'),
  });
  return (
    <SettingsCard
      id="spend-limits"
      title={labels.spendLimits}
      lead={labels.maximumCostOfRequests}
      form={form}
    >
      <SpendRules form={form} scope="gateway" tokens={tokens} limited={limited} />
      <p className="text-sm text-muted">
        Rules for several gateways are{' '}
        <Link
          to="/accounts/$accountId/ai-gateway/spend-limits"
          params={{ accountId: access.accountId }}
          className="underline"
        >
          spend limits of the account
        </Link>
        .
      </p>
    </SettingsCard>
  );
}

interface CustomCostFields {
  trust_custom_cost: boolean;
}

/** The setting that lets clients state the cost of a request. */
export function CustomCostSettings() {
  const form = useSettingsForm<CustomCostFields>({
    read: ({ trust_custom_cost }) => ({ trust_custom_cost }),
    write: (fields) => fields,
  });
  return (
    <SettingsCard
      id="custom-cost"
      title={labels.customCost}
      lead={labels.authenticatedClientsCanState}
      form={form}
    >
      <Check
        label={labels.trustTheCostThatClients}
        hint={labels.theStatedPriceAlsoReplaces}
        {...form.register('trust_custom_cost')}
      />
    </SettingsCard>
  );
}
