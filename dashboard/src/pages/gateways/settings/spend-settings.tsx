import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { runTokensQuery } from '../../../api/gateway-activity.ts';
import { Check } from '../../../ui/field.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
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
      title="Spend limits"
      lead="How much requests may cost in a given time. The gateway accepts a request while every rule that applies to it has money left; otherwise it responds with status 429."
      form={form}
    >
      <SpendRules form={form} scope="gateway" tokens={tokens} limited={limited} />
      <p className="text-sm text-muted">
        Rules that several gateways share are{' '}
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
      title="Custom cost"
      lead="Authenticated clients can state the price of a request in the header cf-aig-custom-cost. It applies to models without a known price."
      form={form}
    >
      <Check
        label="Trust the cost that clients state"
        hint="The stated price also replaces known prices in logs. Spend limits count the higher price."
        {...form.register('trust_custom_cost')}
      />
    </SettingsCard>
  );
}
