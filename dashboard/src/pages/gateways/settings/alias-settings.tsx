import { useId } from 'react';
import { useFieldArray } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { Plus, Trash2 } from '../../../ui/icons.tsx';
import { type AliasDraft, fieldOfAlias, readAliases, writeAliases } from './alias-draft.ts';
import { labels } from './labels.ts';
import { SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const MAX_ALIASES = 100;
const ALIAS = /^[!-.0-~]{1,128}$/;
const MODEL = /^(?:[^/\s]+\/[!-~]+|@(?:cf|hf)\/[!-~]+)$/;

/** Model names that clients can use instead of `provider/model`. */
export function AliasSettings() {
  const addId = useId();
  const form = useSettingsForm<AliasDraft>({
    read: readAliases,
    write: writeAliases,
    fieldOf: fieldOfAlias,
  });
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name: 'rows',
    keyName: 'rowKey',
  });
  return (
    <SettingsCard
      id="model-aliases"
      title={labels.modelAliases}
      lead={labels.clientsCanRequestAnAlias}
      form={form}
    >
      {fields.length === 0 && (
        <p className="text-[0.9375rem] text-muted">{labels.noModelAliases}</p>
      )}
      <ul className="space-y-3">
        {fields.map(({ rowKey }, row) => (
          <AliasFields
            key={rowKey}
            form={form}
            row={row}
            onRemove={() => {
              remove(row);
              document.getElementById(addId)?.focus();
            }}
          />
        ))}
      </ul>
      {form.formState.errors.rows?.message !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {form.formState.errors.rows.message}
        </p>
      )}
      {fields.length < MAX_ALIASES && (
        <Button
          id={addId}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append({ alias: '', model: '' })}
        >
          {labels.addAlias}
        </Button>
      )}
    </SettingsCard>
  );
}

interface AliasFieldsProps {
  form: ApiForm<AliasDraft>;
  row: number;
  onRemove: () => void;
}

function AliasFields({ form: { register, formState }, row, onRemove }: AliasFieldsProps) {
  const path = `rows.${row}` as const;
  const errors = formState.errors.rows?.[row];
  return (
    <li className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
      <Field label={labels.alias} error={errors?.alias?.message}>
        <Input
          spellCheck={false}
          placeholder="fast"
          className="font-mono"
          {...register(`${path}.alias`, {
            validate: (alias, { rows }) => checkAlias(alias, rows),
          })}
        />
      </Field>
      <Field label={labels.model} error={errors?.model?.message}>
        <Input
          spellCheck={false}
          placeholder="openai/gpt-4o-mini"
          className="font-mono"
          {...register(`${path}.model`, {
            validate: (model) => MODEL.test(model.trim()) || labels.enterProviderAndModel,
          })}
        />
      </Field>
      <IconButton
        label={labels.removeThisAlias}
        icon={<Trash2 aria-hidden className="size-4" />}
        className="sm:mt-7"
        onClick={onRemove}
      />
    </li>
  );
}

function checkAlias(alias: string, rows: AliasDraft['rows']): string | true {
  const name = alias.trim();
  if (!ALIAS.test(name)) return labels.upTo128CharactersWithout;
  const isDuplicate = rows.filter((row) => row.alias.trim() === name).length > 1;
  return isDuplicate ? labels.duplicateAlias : true;
}
