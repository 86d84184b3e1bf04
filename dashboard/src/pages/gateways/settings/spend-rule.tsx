import { ChevronDown, Trash2 } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { ApiToken } from '../../../api/tokens.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Check, Field, Select } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { labels } from './labels.ts';
import { NumberField, SpanField, checkSpan } from './number-fields.tsx';
import { EntryFields, SelectorFields } from './selector-fields.tsx';
import {
  type RuleDraft,
  SELECTORS,
  type SpendDraft,
  type SpendScope,
  WINDOWS,
  dollarsOf,
  ruleWords,
} from './spend-draft.ts';

const LONGEST = { seconds: 366 * 86_400, words: '366 days' };
const LEAST_DOLLARS = 0.000_001;
const MOST_DOLLARS = 1_000_000;

interface SpendRuleProps {
  form: ApiForm<SpendDraft>;
  scope: SpendScope;
  index: number;
  /** Of the account, where the person may see them. */
  tokens: readonly Pick<ApiToken, 'id' | 'name'>[];
  onRemove: () => void;
}

/** One rule of what may be spent: a sentence, and the fields that make it. */
export function SpendRuleItem({ form, scope, index, tokens, onRemove }: SpendRuleProps) {
  const rule = useWatch({ control: form.control, name: `rules.${index}` });
  const [isOpen, setIsOpen] = useState(rule.limit === '');
  const isFaulty = form.formState.errors.rules?.[index] !== undefined;
  // It stays open when the fault is mended: somebody is typing in it.
  if (isFaulty && !isOpen) setIsOpen(true);
  const number = index + 1;
  const nameOf = (id: string): string => tokens.find((token) => token.id === id)?.name ?? id;
  return (
    <li aria-label={labels.rule(number)} className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 bg-sunken px-4 py-3">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
            Rule {number}
            {!rule.enabled && <Badge>{labels.off}</Badge>}
          </h3>
          <p className="mt-0.5 text-[0.9375rem] wrap-anywhere">{ruleWords(rule, nameOf, scope)}</p>
        </div>
        <div className="flex items-center gap-1">
          <Button
            isSmall
            look="quiet"
            aria-expanded={isOpen}
            aria-label={isOpen ? labels.closeRule(number) : labels.editRule(number)}
            disabled={isFaulty}
            icon={<ChevronDown aria-hidden className={isOpen ? 'size-4 rotate-180' : 'size-4'} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? labels.close : labels.edit}
          </Button>
          <IconButton
            label={labels.removeRule(number)}
            icon={<Trash2 aria-hidden className="size-4" />}
            onClick={onRemove}
          />
        </div>
      </div>
      {isOpen && <RuleFields form={form} scope={scope} index={index} tokens={tokens} rule={rule} />}
    </li>
  );
}

interface RuleFieldsProps extends Omit<SpendRuleProps, 'onRemove'> {
  rule: RuleDraft;
}

function RuleFields({ form, scope, index, tokens, rule }: RuleFieldsProps) {
  const { register, formState } = form;
  const errors = formState.errors.rules?.[index];
  const path = `rules.${index}` as const;
  return (
    <div className="space-y-5 border-t border-line px-4 py-4">
      <Check label={labels.applyThisRule} {...register(`${path}.enabled`)} />
      <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-3">
        <NumberField
          label={labels.usDollars}
          className="min-w-0"
          error={errors?.limit?.message}
          input={register(`${path}.limit`, { validate: checkDollars })}
        />
        <Field label={labels.period} className="min-w-0">
          <Select {...register(`${path}.preset`)}>
            {WINDOWS.map(({ seconds, label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
            <option value="other">{labels.otherPeriod}</option>
          </Select>
        </Field>
        <Field label={labels.window} className="min-w-0" error={errors?.technique?.message}>
          <Select {...register(`${path}.technique`)}>
            <option value="fixed">{labels.fixedWindow}</option>
            <option value="sliding">{labels.slidingWindow}</option>
          </Select>
        </Field>
      </div>
      {(rule.preset === 'other' || errors?.window !== undefined) && (
        <SpanField
          label={labels.lengthOfTheWindow}
          error={errors?.window?.amount?.message}
          amount={register(`${path}.window.amount`, {
            validate: (_amount, { rules }) => {
              const draft = rules[index];
              return draft?.preset !== 'other' || checkSpan(draft.window, LONGEST);
            },
          })}
          unit={register(`${path}.window.unit`)}
        />
      )}
      <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-3">
        {SELECTORS.map((name) => (
          <SelectorFields key={name} form={form} index={index} name={name} tokens={tokens} />
        ))}
      </div>
      {scope === 'account' && <EntryFields form={form} index={index} kind="gateway_tags" />}
      <EntryFields form={form} index={index} kind="metadata" />
      <Field label={labels.modelsWithoutAKnownPrice}>
        <Select {...register(`${path}.unpriced`)}>
          <option value="estimate">{labels.chargeTheHighestPrice}</option>
          <option value="refuse">{labels.reject}</option>
          <option value="allow">{labels.allowChargeNothing}</option>
        </Select>
      </Field>
    </div>
  );
}

function checkDollars(text: string): string | true {
  const dollars = dollarsOf(text);
  if (Number.isNaN(dollars)) return labels.enterAnAmountSuch;
  return (dollars >= LEAST_DOLLARS && dollars <= MOST_DOLLARS) || labels.amountRange;
}
