import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import { runTokensQuery } from '../../../api/gateway-activity.ts';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { SettingsCard } from './settings-card.tsx';
import {
  type SpendDraft,
  fieldOfSpend,
  newRule,
  newRuleFor,
  readSpend,
  writeSpend,
} from './spend-draft.ts';
import { SpendRuleItem } from './spend-rule.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const MOST_RULES = 20;
const SETTINGS = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';

/** What may be spent on the gateway. */
export function SpendSettings() {
  const form = useSettingsForm<SpendDraft>({
    read: readSpend,
    write: writeSpend,
    fieldOf: fieldOfSpend,
  });
  const { rules } = form.formState.errors;
  return (
    <SettingsCard
      id="spend-limits"
      title="Spend limits"
      lead="How much requests may cost in a given time, at public prices. A request passes while every rule that covers it has money left; otherwise it gets status 429."
      form={form}
    >
      <Rules form={form} />
      {typeof rules?.message === 'string' && (
        <p role="alert" className="text-sm text-danger">
          {rules.message}
        </p>
      )}
      <Check
        label="Trust the cost that clients state"
        hint="The header cf-aig-custom-cost of an authenticated client replaces the listed price in logs. Limits count the higher of the two. When off, the header counts only for models without a known price."
        {...form.register('trustsCustomCost')}
      />
      <p className="text-sm text-muted">
        The gateway reserves the highest cost of a request before it is sent, and charges the real
        cost when it has ended. Only requests that do not limit their output can exceed a limit.
      </p>
    </SettingsCard>
  );
}

function Rules({ form }: { form: ApiForm<SpendDraft> }) {
  const { access, gateway } = useGatewayOfPage();
  const addId = useId();
  const { data: tokens = [] } = useQuery({
    ...runTokensQuery({ accountId: access.accountId, gatewayId: gateway.id }),
    enabled: access.can('api-tokens.read'),
  });
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name: 'rules',
    keyName: 'rowKey',
  });
  const limited = useSearch({ from: SETTINGS });
  const hasBegun = useRef(false);
  useEffect(() => {
    // Only once, also where React runs effects twice.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const rule = newRuleFor(limited);
    if (rule !== undefined && fields.length < MOST_RULES) {
      append(rule, { focusName: `rules.${fields.length}.limit` });
    }
  }, [limited, fields.length, append]);
  const takeAway = (index: number): void => {
    remove(index);
    document.getElementById(addId)?.focus();
  };
  return (
    <>
      {fields.length === 0 ? (
        <p className="text-[0.9375rem] text-muted">
          No rules yet: the cost is counted, but not limited.
        </p>
      ) : (
        <Check
          label="Apply these limits"
          hint="When off, the rules are kept here but none of them applies."
          {...form.register('enabled')}
        />
      )}
      <ol className="space-y-3">
        {fields.map(({ rowKey }, index) => (
          <SpendRuleItem
            key={rowKey}
            form={form}
            index={index}
            tokens={tokens}
            onRemove={() => takeAway(index)}
          />
        ))}
      </ol>
      {fields.length < MOST_RULES && (
        <Button
          id={addId}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append(newRule(), { focusName: `rules.${fields.length}.limit` })}
        >
          Add rule
        </Button>
      )}
    </>
  );
}
