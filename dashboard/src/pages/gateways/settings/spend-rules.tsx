import { Plus } from '../../../ui/icons.tsx';
import { useEffect, useId, useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import type { ApiToken } from '../../../api/tokens.ts';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { labels } from './labels.ts';
import type { LimitSearch } from './limit-search.ts';
import { type SpendDraft, type SpendScope, newRule, newRuleFor } from './spend-draft.ts';
import { SpendRuleItem } from './spend-rule.tsx';

const MAX_RULES = 20;

interface SpendRulesProps {
  form: ApiForm<SpendDraft>;
  scope: SpendScope;
  /** The tokens of the account that the person may see. */
  tokens: readonly Pick<ApiToken, 'id' | 'name'>[];
  /** The analytics row that a new rule is for. */
  limited: LimitSearch;
}

/** The rules of a form for spend limits. */
export function SpendRules({ form, scope, tokens, limited }: SpendRulesProps) {
  const addId = useId();
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name: 'rules',
    keyName: 'rowKey',
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    // Only once, also where React runs effects twice.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const rule = newRuleFor(limited);
    if (rule !== undefined && fields.length < MAX_RULES) {
      append(rule, { focusName: `rules.${fields.length}.limit` });
    }
  }, [limited, fields.length, append]);
  const takeAway = (index: number): void => {
    remove(index);
    document.getElementById(addId)?.focus();
  };
  const { rules } = form.formState.errors;
  return (
    <>
      {fields.length === 0 ? (
        <p className="text-[0.9375rem] text-muted">{labels.noRulesCostIsLogged}</p>
      ) : (
        <Check
          label={labels.applyTheseLimits}
          hint={labels.ifTurnedOffRules}
          {...form.register('enabled')}
        />
      )}
      <ol className="space-y-3">
        {fields.map(({ rowKey }, index) => (
          <SpendRuleItem
            key={rowKey}
            form={form}
            scope={scope}
            index={index}
            tokens={tokens}
            onRemove={() => takeAway(index)}
          />
        ))}
      </ol>
      {fields.length < MAX_RULES && (
        <Button
          id={addId}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append(newRule(), { focusName: `rules.${fields.length}.limit` })}
        >
          {labels.addRule}
        </Button>
      )}
      {typeof rules?.message === 'string' && (
        <p role="alert" className="text-sm text-danger">
          {rules.message}
        </p>
      )}
      <p className="text-sm text-muted">{labels.beforeARequestTheGateway}</p>
    </>
  );
}
