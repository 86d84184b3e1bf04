import { Plus } from '../../ui/icons.tsx';
import { formatShort } from '../../lib/figures.ts';
import { IconButton } from '../../ui/button.tsx';
import { Check, Field, Fieldset, Input, Select } from '../../ui/field.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import type { FieldType, FilterField } from '../../lib/log-fields.ts';
import { type FilterDraft, UNITS, takesOneValue } from './filter-draft.ts';
import { FEEDBACK_WORDS, flagWords, valueWords } from './filter-words.ts';
import { labels } from './labels.ts';
import { type SuggestionSource, useSuggestions } from './value-suggestions.ts';

interface ValueFieldProps {
  source: SuggestionSource;
  names: CallerNames;
  field: FilterField;
  draft: FilterDraft;
  /** Whose values are suggested. */
  metadataKey: string;
  fault: string | undefined;
  onChange: (part: Partial<FilterDraft>) => void;
}

/** What a field is compared with, in the form that fits it. */
export function ValueField(props: ValueFieldProps) {
  const { field, draft } = props;
  if (field.type === 'boolean') return <Flags {...props} />;
  if (field.type === 'feedback' && !takesOneValue(field.type, draft.operator)) {
    return <Choices {...props} options={Object.keys(FEEDBACK_WORDS)} />;
  }
  return takesOneValue(field.type, draft.operator) ? (
    <OneValue {...props} />
  ) : (
    <Values {...props} />
  );
}

function Flags({ field, draft, fault, onChange }: ValueFieldProps) {
  const [whenTrue, whenFalse] = flagWords(field);
  return (
    <Fieldset legend={labels.valueField} error={fault}>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {[
          ['true', whenTrue],
          ['false', whenFalse],
        ].map(([value = '', words]) => (
          <Check
            key={value}
            type="radio"
            name="flag"
            label={words}
            checked={draft.values.length === 1 && draft.values[0] === value}
            onChange={() => onChange({ values: [value] })}
          />
        ))}
      </div>
    </Fieldset>
  );
}

interface ChoicesProps extends ValueFieldProps {
  options: readonly string[];
}

function Choices({ options, field, names, draft, fault, onChange }: ChoicesProps) {
  return (
    <Fieldset legend={labels.anyOf} error={fault}>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {options.map((value) => (
          <Check
            key={value}
            label={valueWords(field, value, names)}
            checked={draft.values.includes(value)}
            onChange={() => onChange({ values: toggled(draft.values, value) })}
          />
        ))}
      </div>
    </Fieldset>
  );
}

function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

const LABELS: Readonly<Partial<Record<FieldType, string>>> = {
  dollars: labels.usDollars,
  time: labels.dayAndTime,
  milliseconds: labels.length,
};

function OneValue({ field: { type }, draft, fault, onChange }: ValueFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <Field label={LABELS[type] ?? labels.number} error={fault} className="min-w-0 flex-1">
        <Input
          {...(type === 'time' ? { type: 'datetime-local' } : { inputMode: 'decimal' })}
          value={draft.typed}
          onChange={(event) => onChange({ typed: event.target.value })}
        />
      </Field>
      {type === 'milliseconds' && (
        <Field label={labels.unit} className="w-40">
          <Select value={draft.unit} onChange={(event) => onChange({ unit: event.target.value })}>
            {Object.entries(UNITS).map(([unit, { words }]) => (
              <option key={unit} value={unit}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </div>
  );
}

/** More are found by typing. */
const MOST_OFFERED = 50;

/** Any number of values: those that there were lately, and others that are typed. */
function Values({ source, names, field, draft, metadataKey, fault, onChange }: ValueFieldProps) {
  const isPart = draft.operator === 'contains';
  const suggestions = useSuggestions(source, field, isPart ? '' : metadataKey);
  const requests = new Map(suggestions.map((one) => [one.value, one.requests]));
  const typed = draft.typed.trim();
  const words = (value: string): string => valueWords(field, value, names);
  const others = isPart ? [] : suggestions.map(({ value }) => value);
  const wanted = typed.toLowerCase();
  const offered = [...new Set([...draft.values, ...others])]
    .filter(
      (value) =>
        draft.values.includes(value) || `${value} ${words(value)}`.toLowerCase().includes(wanted),
    )
    .slice(0, MOST_OFFERED);
  const add = (): void => {
    if (typed !== '') onChange({ values: [...new Set([...draft.values, typed])], typed: '' });
  };
  return (
    <div className="space-y-3">
      <div className="flex items-start gap-2">
        <Field
          label={
            others.length > 0 ? labels.findOrEnterAValue : isPart ? labels.text : labels.valueField
          }
          error={fault}
          hint={field.type === 'milliseconds' ? labels.inMilliseconds : undefined}
          className="min-w-0 flex-1"
        >
          <Input
            value={draft.typed}
            onChange={(event) => onChange({ typed: event.target.value })}
          />
        </Field>
        <IconButton
          label={labels.addAnotherValue}
          icon={<Plus aria-hidden className="size-4" />}
          disabled={typed === ''}
          onClick={add}
          className="mt-7.5 border border-edge"
        />
      </div>
      {offered.length > 0 && (
        <Fieldset
          legend={`${draft.operator === 'neq' ? labels.noneOfThese : labels.anyOfThese}${others.length > 0 ? ', from the last 7 days' : ''}`}
        >
          <ul className="max-h-52 space-y-2 overflow-y-auto rounded-lg border border-line p-3">
            {offered.map((value) => (
              <li key={value} className="flex items-start justify-between gap-3">
                <Check
                  className="min-w-0"
                  label={<bdi className="wrap-anywhere">{words(value)}</bdi>}
                  checked={draft.values.includes(value)}
                  onChange={() => onChange({ values: toggled(draft.values, value) })}
                />
                {requests.has(value) && (
                  <span
                    className="text-sm leading-snug text-muted tabular-nums"
                    title={labels.requestsInTheLastWeek}
                  >
                    {formatShort(requests.get(value) ?? 0)}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Fieldset>
      )}
    </div>
  );
}
